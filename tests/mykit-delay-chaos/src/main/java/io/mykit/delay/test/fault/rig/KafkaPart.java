package io.mykit.delay.test.fault.rig;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.test.delivery.KafkaInbox;
import io.mykit.delay.test.server.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka. The wire leads to the address at which clients begin; the broker tells its own address there, so that only the beginning can be
 * cut. The broker has no hook that could refuse a single message.
 */
final class KafkaPart implements Broker {
    private static final int PARTITIONS = 4;

    private static final String PUSHES = "mykit-delay-push";

    private final KafkaServer server;
    private final KafkaProducer<byte[], byte[]> producer;

    KafkaPart(Path dir) {
        server = KafkaServer.start(dir, Map.of());
        server.createTopic(PUSHES, PARTITIONS, Map.of());
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        server.address(),
                        "delivery.timeout.ms",
                        60_000,
                        "request.timeout.ms",
                        5_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public int port() {
        String address = server.address();
        return Integer.parseInt(address.substring(address.indexOf(':') + 1));
    }

    @Override
    public Map<String, String> settings(int port) {
        String address = "127.0.0.1:" + port;
        return Map.of(
                "delivery.default-channel",
                "kafka",
                "kafka.bootstrap-servers",
                address,
                "ingest.kafka.bootstrap-servers",
                address,
                "ingest.kafka.properties.session.timeout.ms",
                "6000");
    }

    @Override
    public void create(List<String> topics) {
        topics.forEach(topic -> server.createTopic(topic, PARTITIONS, Map.of()));
    }

    @Override
    public String named(String topic) {
        return topic.replace('/', '.');
    }

    @Override
    public Inbox inbox(String topic) {
        return new KafkaInbox(server.address(), topic);
    }

    @Override
    public String repetitionKey(Arrival arrival) {
        return "";
    }

    @Override
    public Optional<Ingest> ingest() {
        return Optional.of(this::write);
    }

    private List<Boolean> write(List<String> messages) {
        List<Future<RecordMetadata>> sent = messages.stream()
                .map(message -> producer.send(new ProducerRecord<>(PUSHES, message.getBytes(StandardCharsets.UTF_8))))
                .toList();
        return sent.stream().map(KafkaPart::isStored).toList();
    }

    private static boolean isStored(Future<RecordMetadata> record) {
        try {
            record.get();
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void kill() {
        server.process().kill();
    }

    @Override
    public void restart() {
        server.startBroker();
    }

    @Override
    public void freeze() {
        server.process().freeze();
    }

    @Override
    public void thaw() {
        server.process().thaw();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        server.close();
    }
}
