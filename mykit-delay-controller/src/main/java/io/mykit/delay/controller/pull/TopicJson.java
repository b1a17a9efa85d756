package io.mykit.delay.controller.pull;

import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicRow;
import io.mykit.delay.queue.query.TopicSort;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.query.TopicTrouble;
import io.mykit.delay.queue.query.TopicView;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import io.mykit.delay.queue.store.TopicPause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Topics as JSON. Stateless. */
final class TopicJson {
    private TopicJson() {}

    static Map<String, Object> of(TopicView topic) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("topic", topic.topic());
        data.put("channel", topic.channel());
        data.put("waiting", topic.waiting());
        data.put("ready", topic.ready());
        data.put("taken", topic.held());
        data.put("dead", topic.dead());
        putPause(topic.pause(), data);
        topic.oldestReadyMs().ifPresent(oldest -> data.put("oldestReady", oldest));
        return data;
    }

    /**
     * The consumers of a topic, in the order of their names.
     *
     * @param waiting the requests that wait at this node, by consumer
     * @param taken the messages that consumers hold, by consumer
     */
    static List<Map<String, Object>> consumers(Map<String, Integer> waiting, Map<String, Integer> taken) {
        Set<String> names = new TreeSet<>(waiting.keySet());
        names.addAll(taken.keySet());
        List<Map<String, Object>> consumers = new ArrayList<>(names.size());
        for (String name : names) {
            Map<String, Object> consumer = new LinkedHashMap<>();
            consumer.put("consumer", name);
            consumer.put("waiting", waiting.getOrDefault(name, 0));
            consumer.put("taken", taken.getOrDefault(name, 0));
            consumers.add(consumer);
        }
        return consumers;
    }

    static Map<String, Object> of(TopicList list, TopicSort sort) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", list.asOfMs());
        data.put("sort", sort.word());
        data.put("total", list.total());
        data.put("troubled", list.troubled());
        data.put("complete", list.complete());
        data.put("items", list.rows().stream().map(row -> of(row, list.leads())).toList());
        List<TopicRow> rows = list.rows();
        data.put(
                "next",
                list.last() || rows.isEmpty() ? null : rows.get(rows.size() - 1).topic());
        return data;
    }

    private static Map<String, Object> of(TopicRow row, boolean leads) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("topic", row.topic());
        data.put("channel", row.channel());
        data.put("near", row.count().waiting());
        data.put("ready", row.count().ready());
        data.put("leased", row.count().leased() + row.count().held());
        data.put("dead", row.dead());
        data.put("oldestOverdueMs", row.oldestOverdueMs());
        putPause(row.pause(), data);
        putState(row.pause().isPresent(), new TopicState(leads, row.differs(), row.backsOff()), data);
        data.put("trouble", row.trouble().map(TopicTrouble::word).orElse(null));
        return data;
    }

    /**
     * Puts what a topic does now: {@code runs}, {@code paused}, {@code differs}, {@code backsOff}, or {@code unknown} on a node that does not lead.
     */
    static void putState(boolean paused, TopicState state, Map<String, Object> into) {
        String running = state.known() ? "runs" : "unknown";
        String waiting =
                state.differs().isPresent() ? "differs" : state.backsOff().isPresent() ? "backsOff" : running;
        into.put("state", paused ? "paused" : waiting);
        into.put("differs", state.differs().map(TopicJson::differs).orElse(null));
        into.put("backsOff", state.backsOff().map(TopicJson::backsOff).orElse(null));
    }

    private static void putPause(Optional<TopicPause> pause, Map<String, Object> into) {
        into.put("paused", pause.isPresent());
        into.put("pausedUntil", pause.flatMap(TopicPause::endMs).orElse(null));
    }

    private static Map<String, Object> differs(TopicDifferences.Difference difference) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("node", difference.node());
        data.put("channel", difference.channel());
        data.put("reason", difference.reason());
        return data;
    }

    private static Map<String, Object> backsOff(FailingTopics.Topic topic) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("since", topic.sinceMs());
        data.put("tries", topic.tries());
        data.put("reason", topic.reason());
        return data;
    }
}
