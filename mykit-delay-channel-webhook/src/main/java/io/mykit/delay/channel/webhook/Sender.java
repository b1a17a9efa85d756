package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.webhook.destination.Targets;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The parts that all exchanges of a channel share. Immutable.
 *
 * @param timeout of a whole exchange
 * @param clock for signatures and for {@code Retry-After} dates
 * @param keepResult whether the body of an answer is the result of its message, by topic
 * @param failures gets one line for each attempt that failed
 */
record Sender(
        HttpLink link,
        Lookups lookups,
        Targets targets,
        RequestHead head,
        Answers answers,
        Duration timeout,
        InstantSource clock,
        TopicValues<Boolean> keepResult,
        Consumer<String> failures) {
    boolean keepsAnswer(DelayMessage message) {
        return keepResult.find(message.topic()).orElse(false);
    }
}
