package io.mykit.delay.spring.call;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.RescheduleResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The new due time of a message. Immutable. */
public sealed interface DueTime {
    /**
     * A delay that counts from the call. It is checked now: after a commit a wrong one would take the send with it.
     *
     * @throws IllegalArgumentException if it is negative
     */
    static DueTime after(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is negative: " + delay);
        }
        return new After(delay.toMillis());
    }

    /** A time; one in the past means now. */
    static DueTime at(Instant time) {
        return new At(time.toEpochMilli());
    }

    /** Asks the server. */
    RescheduleResult move(DelayClient client, String id);

    /** Asks the server. */
    List<KeyedResult<RescheduleResult>> move(DelayClient client, Key key);

    /** For a message that is not pushed yet. */
    void giveTo(Message.Builder message);

    record After(long ms) implements DueTime {
        @Override
        public RescheduleResult move(DelayClient client, String id) {
            return client.reschedule(id, Duration.ofMillis(ms));
        }

        @Override
        public List<KeyedResult<RescheduleResult>> move(DelayClient client, Key key) {
            return key.of(client).reschedule(Duration.ofMillis(ms));
        }

        @Override
        public void giveTo(Message.Builder message) {
            message.delay(Duration.ofMillis(ms));
        }
    }

    record At(long ms) implements DueTime {
        @Override
        public RescheduleResult move(DelayClient client, String id) {
            return client.reschedule(id, Instant.ofEpochMilli(ms));
        }

        @Override
        public List<KeyedResult<RescheduleResult>> move(DelayClient client, Key key) {
            return key.of(client).reschedule(Instant.ofEpochMilli(ms));
        }

        @Override
        public void giveTo(Message.Builder message) {
            message.at(Instant.ofEpochMilli(ms));
        }
    }
}
