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
import io.mykit.delay.kafka.PlainGreeting;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.producer.Producers;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
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
    private static final Duration GREETING = Duration.ofSeconds(5);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /** After so many failed polls in a row the consumer is made anew. */
    private static final int MOST_FAILURES = 5;

    private static final Backoff FAILED = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));

    private final IngestSettings settings;
    private final IngestProperties properties;
    private final Producers producers;
    private final RecordForm form;
    private final IngestMeters meters;
    private final IngestBounds bounds;
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

    private KafkaIngest(
            IngestSettings settings,
            DelayConfig config,
            Producers producers,
            InstantSource clock,
            MeterRegistry registry) {
        this.settings = settings;
        this.bounds = IngestBounds.of(config.intake().queueLimit());
        this.properties = IngestProperties.of(settings, bounds);
        this.producers = producers;
        this.form = new RecordForm(producers.rules(), clock, config.http().maxBodySize());
        this.meters = new IngestMeters(registry);
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
        return own.connection()
                .bootstrapServers()
                .map(servers -> new KafkaIngest(own, config, producers, clock, registry));
    }

    @Override
    public void start() {
        loop.start();
    }

    private Duration runOnce() {
        if (stopping) {
            end();
            return STOPPED;
        }
        try {
            IngestSession current = session;
            if (current == null) {
                current = open();
                session = current;
            }
            current.turn();
            failures = 0;
            look(current);
            return AT_ONCE;
        } catch (WakeupException stop) {
            return AT_ONCE;
        } catch (IOException | RuntimeException e) {
            return failed(e);
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

    private IngestSession open() throws IOException {
        String servers = settings.connection().bootstrapServers().orElseThrow();
        if (!properties.tls()) {
            PlainGreeting.exchange(servers, settings.connection().section(), GREETING);
        }
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.consumer());
        try {
            require(consumer, settings.topic(), settings.topicKey());
            settings.rejectedTopic().ifPresent(topic -> require(consumer, topic, settings.rejectedTopicKey()));
            IngestSession opened = new IngestSession(
                    consumer,
                    producers,
                    form,
                    new Rejected(settings.rejectedTopic(), properties, meters),
                    meters,
                    bounds,
                    System::nanoTime);
            consumer.subscribe(List.of(settings.topic()), opened);
            signs = new BrokerSigns(consumer, System::nanoTime);
            return opened;
        } catch (RuntimeException | Error e) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw e;
        }
    }

    /** This question makes no topic, also on a broker that makes topics that producers ask for. */
    private static void require(KafkaConsumer<?, ?> consumer, String topic, String key) {
        if (consumer.partitionsFor(topic).isEmpty()) {
            throw new IllegalStateException("there is no topic " + topic + " (" + key
                    + "), or it is hidden from this account; mykit-delay makes no topics");
        }
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
}
