package io.mykit.delay.controller.pull;

import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.retry.PolicyKey;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The parts of the server behind the calls that show topics. Each is thread-safe.
 *
 * @param lookup {@code StoredTopics}; may block
 * @param list {@code TopicBoard::list}; may block
 * @param state {@code TopicBoard::state}
 * @param policy {@code PolicySources::of}, by topic and channel
 */
public record TopicParts(
        TopicLookup lookup,
        Function<TopicListOrder, TopicList> list,
        Function<String, TopicState> state,
        BiFunction<String, String, List<PolicyKey>> policy) {}
