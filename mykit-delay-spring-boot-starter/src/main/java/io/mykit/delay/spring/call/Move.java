package io.mykit.delay.spring.call;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.RescheduleResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Another due time of a message.
 *
 * @param call asks the server for it
 * @param change gives it to a message that is not pushed yet
 */
public record Move(String id, Function<DelayClient, RescheduleResult> call, Consumer<Message.Builder> change) {
    public Move {
        Objects.requireNonNull(id, "id");
    }

    /**
     * Checked now: after a commit a wrong value would take the send with it.
     *
     * @param delay counts from the call
     * @throws IllegalArgumentException if it is negative
     */
    public static Move to(String id, Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is negative: " + delay);
        }
        return new Move(id, client -> client.reschedule(id, delay), message -> message.delay(delay));
    }

    public static Move to(String id, Instant dueTime) {
        Objects.requireNonNull(dueTime, "dueTime");
        return new Move(id, client -> client.reschedule(id, dueTime), message -> message.at(dueTime));
    }
}
