package io.mykit.delay.channel.rocketmq;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.apache.rocketmq.client.producer.SendStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers the brokers that store messages but do not flush or replicate them in time. The log says it at most once a
 * minute. {@code /health} says it as long as it lasts. Thread-safe.
 */
final class Unconfirmed {
    private static final Logger LOG = LoggerFactory.getLogger(Unconfirmed.class);
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final ConcurrentMap<String, SendStatus> brokers = new ConcurrentHashMap<>();
    /** The times of the last log lines, by {@link #nanoTime}. A broker that was ever in {@link #brokers} has one. */
    private final ConcurrentMap<String, Long> saidNanos = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    Unconfirmed(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Records the status of a broker's answer, {@link SendStatus#SEND_OK} included. */
    void answered(String broker, SendStatus status) {
        if (status == SendStatus.SEND_OK) {
            if (!brokers.isEmpty() && brokers.remove(broker) != null) {
                LOG.info("RocketMQ broker {} flushes and replicates in time again", broker);
            }
            return;
        }
        boolean changed = brokers.put(broker, status) != status;
        if (changed && isTimeToSay(broker)) {
            LOG.warn(
                    "RocketMQ broker {} stored messages and answered {}: it did not flush or replicate them in time."
                            + " mykit.delay.rocketmq.stored-unconfirmed decides whether they count as"
                            + " delivered; check the broker's disk and slaves",
                    broker,
                    status);
        }
    }

    /** The last status of each such broker, for {@code /health}. */
    Map<String, String> byBroker() {
        Map<String, String> answers = new TreeMap<>();
        brokers.forEach((broker, status) -> answers.put(broker, status.name()));
        return answers;
    }

    private boolean isTimeToSay(String broker) {
        long now = nanoTime.getAsLong();
        Long said = saidNanos.get(broker);
        if (said != null && now - said < QUIET.toNanos()) {
            return false;
        }
        saidNanos.put(broker, now);
        return true;
    }
}
