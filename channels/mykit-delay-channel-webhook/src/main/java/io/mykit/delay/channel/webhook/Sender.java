package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.common.message.DelayMessage;
import io.vertx.core.http.HttpClientResponse;
import java.time.InstantSource;

/**
 * The parts that all exchanges of a channel share. Immutable.
 *
 * @param clock for signatures and for {@code Retry-After} dates
 * @param keepResult whether the body of an answer is the result of its message, by topic
 */
record Sender(RequestHead head, Answers answers, InstantSource clock, TopicValues<Boolean> keepResult) {
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
