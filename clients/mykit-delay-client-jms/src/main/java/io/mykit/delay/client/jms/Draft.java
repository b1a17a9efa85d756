package io.mykit.delay.client.jms;

import io.mykit.delay.client.Message;
import java.time.Duration;

/**
 * A message that is not pushed yet.
 *
 * @param destination the name of its queue or topic
 * @param delayMs milliseconds from the send on
 * @param sentNanos when it was sent, by {@link System#nanoTime}
 */
record Draft(String id, String destination, Message.Builder builder, long delayMs, long sentNanos) {
    static Draft of(String destination, Message.Builder builder, long delayMs) {
        return new Draft(builder.build().id(), destination, builder, delayMs, System.nanoTime());
    }

    /** The message to push now. Of its delay the part is left that has not passed since the send: a transaction may take its time. */
    Message message() {
        long passedMs = (System.nanoTime() - sentNanos) / 1_000_000;
        return builder.id(id)
                .delay(Duration.ofMillis(Math.max(0, delayMs - passedMs)))
                .build();
    }

    /** As JMS writes it. */
    String messageId() {
        return "ID:" + id;
    }
}
