package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.HttpLink;
import io.mykit.delay.channel.hosts.Lookups;
import io.mykit.delay.channel.hosts.destination.Targets;
import io.mykit.delay.common.message.DelayMessage;
import io.vertx.core.http.HttpClientResponse;
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
    /**
     * The body of an answer that the fate waits for. Null if the status decides at once; so a topic that is to wait learns it at the first
     * line.
     *
     * @param decided the fate by the status
     */
    AnswerBody body(Delivery decided, DelayMessage message, Request request, HttpClientResponse answer) {
        return switch (decided.kind()) {
            case DELIVERED -> keepResult.find(message.topic()).orElse(false) ? new KeptAnswer() : null;
            // No answer is asked for in another encoding, and such bytes are no text.
            case FAILED, REFUSED ->
                answer.getHeader("content-encoding") == null ? FailureText.of(decided, request) : null;
            default -> null;
        };
    }
}
