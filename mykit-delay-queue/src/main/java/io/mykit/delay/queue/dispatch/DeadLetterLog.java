package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.MinuteLines;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs messages that become dead letters: one line for each topic and minute. A receiver that refuses all messages of a topic would
 * fill the log otherwise; the dead letters themselves have all reasons. Thread-safe.
 */
public final class DeadLetterLog {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterLog.class);

    private final MinuteLines lines;

    public DeadLetterLog() {
        this(System::nanoTime);
    }

    DeadLetterLog(LongSupplier nanoTime) {
        lines = new MinuteLines(nanoTime);
    }

    /** @param detail the reason */
    public void died(String topic, String id, String detail) {
        line(topic, id, detail)
                .ifPresentOrElse(
                        LOG::warn, () -> LOG.debug("Message {} of topic {} is a dead letter: {}", id, topic, detail));
    }

    /** The line that is due; empty = none. */
    Optional<String> line(String topic, String id, String detail) {
        int number = lines.count(topic);
        if (number == 0) {
            return Optional.empty();
        }
        return Optional.of(
                number == 1
                        ? "Message " + id + " of topic " + topic + " is a dead letter: " + detail
                                + ". /dead/respawn puts it back"
                        : number + " more messages of topic " + topic + " are dead letters, the last one is " + id
                                + ": " + detail + ". /dead lists them");
    }
}
