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
 * Brokers that store messages but do not flush or replicate them in time: said in the log once a minute at most, and in
 * {@code /health} for as long as it is so. Thread-safe.
 */
final class Unconfirmed {
    private static final Logger LOG = LoggerFactory.getLogger(Unconfirmed.class);
    private static final Duration QUIET = Duration.ofMinutes(1);

    private final ConcurrentMap<String, SendStatus> brokers = new ConcurrentHashMap<>();
    /** By {@link #nanoTime}; of brokers that were ever in {@link #brokers}. */
    private final ConcurrentMap<String, Long> saidNanos = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    Unconfirmed(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A broker answered so; {@link SendStatus#SEND_OK} among it. */
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
                    "RocketMQ broker {} stored messages and answered {}: not flushed or replicated in time;"
                            + " mykit.delay.rocketmq.stored-unconfirmed decides what they are",
                    broker,
                    status);
        }
    }

    /** What each such broker answered last, for {@code /health}. */
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
