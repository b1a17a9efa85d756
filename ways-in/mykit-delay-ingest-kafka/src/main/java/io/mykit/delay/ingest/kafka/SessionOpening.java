package io.mykit.delay.ingest.kafka;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.kafka.PlainGreeting;
import io.mykit.delay.queue.producer.Producers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Connects to the brokers and makes sessions that have subscribed. For the thread of the loop. */
final class SessionOpening {
    private static final Duration GREETING = Duration.ofSeconds(5);

    private final IngestSettings settings;
    private final IngestProperties properties;
    private final Producers producers;
    private final RecordForm form;
    private final IngestMeters meters;
    private final IngestBounds bounds;

    /** @throws IllegalArgumentException if a property cannot be used; the message names the key and no secret */
    SessionOpening(
            IngestSettings settings, Producers producers, RecordForm form, IngestMeters meters, IngestBounds bounds) {
        this.settings = settings;
        this.properties = IngestProperties.of(settings, bounds);
        this.producers = producers;
        this.form = form;
        this.meters = meters;
        this.bounds = bounds;
    }

    /** @throws IOException or a {@link RuntimeException}: no broker answers, it refuses the account, or a topic is missing */
    IngestSession open() throws IOException {
        String servers = settings.connection().bootstrapServers().orElseThrow();
        if (!properties.tls()) {
            PlainGreeting.exchange(servers, settings.connection().section(), GREETING);
        }
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(properties.consumer());
        try {
            require(consumer, settings.topic(), settings.topicKey());
            settings.rejectedTopic().ifPresent(topic -> require(consumer, topic, settings.rejectedTopicKey()));
            IngestSession opened =
                    new IngestSession(consumer, producers, form, rejected(), meters, bounds, System::nanoTime);
            consumer.subscribe(List.of(settings.topic()), opened);
            return opened;
        } catch (RuntimeException | Error e) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw e;
        }
    }

    private Rejected rejected() {
        return new Rejected(
                settings.rejectedTopic(),
                () -> new KafkaProducer<>(properties.producer()),
                Threads.single("ingest-kafka-rejected"),
                settings.connection().section(),
                meters);
    }

    /** This question makes no topic, also on a broker that makes topics that producers ask for. */
    private static void require(KafkaConsumer<?, ?> consumer, String topic, String key) {
        if (consumer.partitionsFor(topic).isEmpty()) {
            throw new IllegalStateException("there is no topic " + topic + " (" + key
                    + "), or it is hidden from this account; mykit-delay makes no topics");
        }
    }
}
