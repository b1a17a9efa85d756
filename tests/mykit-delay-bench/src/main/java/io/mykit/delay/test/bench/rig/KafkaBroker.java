package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mykit.delay.test.server.KafkaServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka. Its producer is thread-safe, so all of one bench share it. */
public final class KafkaBroker implements Guest {
    private static final int PARTITIONS = 4;
    private static final String DRAIN = "kafka-drain";
    private static final String LATENESS = "kafka-lateness";

    private final KafkaServer server;
    private final KafkaProducer<byte[], byte[]> producer;

    KafkaBroker(Path dir) {
        server = KafkaServer.startForLoad(dir, "1g");
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        server.address(),
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.LINGER_MS_CONFIG,
                        0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "kafka.bootstrap-servers",
                server.address(),
                "delivery.topics." + DRAIN,
                "kafka",
                "delivery.topics." + LATENESS,
                "kafka");
    }

    /** Pushes through this broker. The caller closes them. */
    public KafkaPushes pushes() {
        return new KafkaPushes(server);
    }

    @Override
    public String name() {
        return "Kafka";
    }

    @Override
    public long pid() {
        return server.process().pid();
    }

    @Override
    public String topic(Use use) {
        return use == Use.DRAIN ? DRAIN : LATENESS;
    }

    @Override
    public Sink sink(String topic) {
        server.createTopic(topic, PARTITIONS, Map.of());
        return new KafkaSink(server.address(), topic);
    }

    @Override
    public Producer producer(String topic) {
        server.createTopic(topic, PARTITIONS, Map.of());
        return new Sending(topic);
    }

    @Override
    public void close() {
        producer.close();
        server.close();
    }

    private final class Sending implements Producer {
        private final String topic;

        Sending(String topic) {
            this.topic = topic;
        }

        @Override
        public void send(long dueMicros) throws Exception {
            producer.send(record(dueMicros)).get();
        }

        @Override
        public void send(List<Long> dueMicros) throws Exception {
            List<Future<?>> stored = new ArrayList<>(dueMicros.size());
            for (long due : dueMicros) {
                stored.add(producer.send(record(due)));
            }
            for (Future<?> one : stored) {
                one.get();
            }
        }

        @Override
        public void sendDelayed(long dueMicros) {
            throw new UnsupportedOperationException("Kafka holds back no message");
        }

        private ProducerRecord<byte[], byte[]> record(long dueMicros) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, Requests.BODY.getBytes(US_ASCII));
            record.headers().add(Sink.DUE_MICROS, Long.toString(dueMicros).getBytes(US_ASCII));
            return record;
        }

        @Override
        public void close() {
            // All lines share the producer.
        }
    }
}
