package io.mykit.delay.ingest.kafka;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.kafka.ClientFaults;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.producer.Producers;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic for pushes as a member of a consumer group, while the server runs. The first round of its loop connects. It is a part of
 * {@code /health}, too. Thread-safe.
 */
public final class KafkaIngest implements Service, HealthCheck {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaIngest.class);

    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration STOPPED = Duration.ofHours(1);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** After so many failed polls in a row the consumer is made anew. */
    private static final int MOST_FAILURES = 5;

    private static final Backoff FAILED = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));

    private final IngestSettings settings;
    private final Opening opening;
    private final OutageLog outage = new OutageLog(LOG, "No messages come by Kafka", "Messages come by Kafka again");
    private final LoopRunner loop = new LoopRunner("ingest-kafka", this::runOnce, FAILED);

    /** Of the loop, and of close() after its end; volatile for a wakeup. Null = none. */
    private volatile IngestSession session;

    private volatile boolean stopping;
    private volatile State state = new State(0, 0, 0, Optional.of("it connects"));
    /** Rounds that failed in a row. */
    private int failures;

    private BrokerSigns signs;
    private long lookedAtNanos;

    KafkaIngest(IngestSettings settings, Opening opening, MeterRegistry registry) {
        this.settings = settings;
        this.opening = opening;
        Family.INGEST_LAG.gauge(registry, this, ingest -> ingest.state.lag());
        Family.INGEST_PENDING.gauge(registry, this, ingest -> ingest.state.pendingBytes());
        Family.INGEST_PAUSED.gauge(
                registry, this, ingest -> ingest.state.trouble().isPresent() ? 1 : 0);
    }

    /**
     * Prepares the ingest; connects to no broker.
     *
     * @param settings the section {@link KafkaIngestSection#NAME}
     * @return empty if it names no brokers
     * @throws IllegalArgumentException if a setting is wrong; the message names the key and no secret
     */
    public static Optional<KafkaIngest> of(
            ChannelSettings settings,
            DelayConfig config,
            Producers producers,
            InstantSource clock,
            MeterRegistry registry) {
        IngestSettings own = new IngestSettings(settings);
        return own.connection().bootstrapServers().map(servers -> {
            IngestBounds bounds = IngestBounds.of(config.intake().queueLimit());
            RecordForm form =
                    new RecordForm(producers.rules(), clock, config.http().maxBodySize());
            SessionOpening opening = new SessionOpening(own, producers, form, new IngestMeters(registry), bounds);
            return new KafkaIngest(own, opening::open, registry);
        });
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration runOnce() {
        Duration pause = stopping ? STOPPED : round();
        if (stopping) {
            // A close() that gave up waiting has interrupted this round, and there is no other one. The consumer leaves
            // its group all the same.
            Thread.interrupted();
            end();
            return STOPPED;
        }
        return pause;
    }

    private Duration round() {
        try {
            IngestSession current = session;
            if (current == null) {
                current = opening.open();
                session = current;
                signs = new BrokerSigns(current.consumer(), System::nanoTime);
            }
            current.turn();
            failures = 0;
            look(current);
            return AT_ONCE;
        } catch (WakeupException stop) {
            return AT_ONCE;
        } catch (IOException | RuntimeException e) {
            return failed(e);
        } catch (Error e) {
            // A record of this session may be without an end for good. The next session reads it again.
            end();
            throw e;
        }
    }

    private Duration failed(Exception e) {
        failures++;
        trouble(ClientFaults.reason(e, settings.connection().section()));
        if (session != null && (failures > MOST_FAILURES || !(e instanceof KafkaException))) {
            end();
        }
        return FAILED.after(failures);
    }

    private void trouble(String why) {
        outage.failed(why);
        State last = state;
        state = new State(last.partitions(), last.lag(), last.pendingBytes(), Optional.of(why));
    }

    /** Once a second, for those who ask, and at once if the records stop. */
    private void look(IngestSession current) {
        long now = System.nanoTime();
        boolean changes = current.trouble().isPresent() != state.trouble().isPresent();
        if (!changes && now - lookedAtNanos < LOOK_EVERY.toNanos()) {
            return;
        }
        lookedAtNanos = now;
        Optional<String> trouble = current.trouble().or(signs::trouble);
        trouble.ifPresentOrElse(outage::failed, outage::succeeded);
        state = new State(current.assignment().size(), current.lag(), current.pendingBytes(), trouble);
    }

    private void end() {
        IngestSession last = session;
        session = null;
        if (last != null) {
            try {
                last.close();
            } catch (KafkaException e) {
                // The group notices by itself that the member is gone.
                LOG.debug("The consumer did not leave its group", e);
            }
        }
    }

    /** No more records are read. Those that were read are stored, and their offsets are committed. */
    public void announceStop() {
        stopping = true;
        wakeUp();
        loop.wake();
    }

    private void wakeUp() {
        IngestSession current = session;
        if (current != null) {
            current.consumer().wakeup();
        }
    }

    @Override
    public void close() {
        announceStop();
        loop.close();
        // A loop that still runs ends the session itself.
        if (!loop.isAlive()) {
            end();
        }
    }

    @Override
    public String name() {
        return "ingest-kafka";
    }

    @Override
    public Health check() {
        State now = state;
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("bootstrapServers", settings.connection().bootstrapServers().orElseThrow());
        details.put("topic", settings.topic());
        details.put("group", settings.group());
        details.put("partitions", now.partitions());
        details.put("lag", now.lag());
        Optional<String> reason = stopping
                ? Optional.of("this node is stopping")
                : now.trouble().or(() -> loop.lives() ? Optional.empty() : Optional.of("its loop does not run"));
        reason.ifPresent(why -> details.put("reason", why));
        return new Health(reason.isEmpty(), details);
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    /**
     * What the loop saw at its last look.
     *
     * @param lag records that are not stored yet
     * @param trouble why no records are read; empty = they are
     */
    private record State(int partitions, long lag, long pendingBytes, Optional<String> trouble) {}

    /** Makes a consumer that has subscribed. */
    @FunctionalInterface
    interface Opening {
        /** @throws IOException or a {@link RuntimeException} with the reason why there is none */
        IngestSession open() throws IOException;
    }
}
