package io.mykit.delay.test.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.test.server.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer of a test, and its looks at the broker. A send returns when the record is stored. */
final class Records implements AutoCloseable {
    static final String TOPIC = "mykit-delay-push";
    static final String GROUP = "mykit-delay";

    private static final long PATIENCE_SECONDS = 60;

    private final String address;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();
    private int stored;

    Records(KafkaServer server) {
        this(server, Map.of());
    }

    Records(KafkaServer server, Map<String, Object> properties) {
        this.address = server.innerAddress();
        Map<String, Object> all = new HashMap<>(properties);
        all.put("bootstrap.servers", address);
        all.put("linger.ms", 5);
        producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    KafkaProducer<byte[], byte[]> producer() {
        return producer;
    }

    /** Does not wait for it. */
    void json(int partition, String value) {
        sent.add(producer.send(new ProducerRecord<>(TOPIC, partition, null, value.getBytes(UTF_8))));
    }

    /** Does not wait for it. */
    void raw(int partition, String key, byte[] value, Map<String, String> headers) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(TOPIC, partition, key == null ? null : key.getBytes(UTF_8), value);
        headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
        sent.add(producer.send(record));
    }

    /** Until all records are stored. */
    void flush() {
        producer.flush();
        sent.forEach(Records::get);
        stored += sent.size();
        sent.clear();
    }

    /** The records that are stored. */
    int sent() {
        return stored;
    }

    /** All records of a topic from its beginning, as soon as there are so many. */
    List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        Map<String, Object> properties = Map.of("bootstrap.servers", address, "auto.offset.reset", "earliest");
        List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (read.size() < count && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            }
        }
        return read;
    }

    /** The committed offset of a partition; 0 = none. */
    long committed(int partition) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            OffsetAndMetadata offset = get(admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata())
                    .get(new TopicPartition(TOPIC, partition));
            return offset == null ? 0 : offset.offset();
        }
    }

    /** Moves the group back, as if it had never committed. No member may be there. */
    void forgetOffsets(int partitions) {
        Map<TopicPartition, OffsetAndMetadata> begin = new HashMap<>();
        for (int i = 0; i < partitions; i++) {
            begin.put(new TopicPartition(TOPIC, i), new OffsetAndMetadata(0));
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            get(admin.alterConsumerGroupOffsets(GROUP, begin).all());
        }
    }

    /** The partitions of each member of the group; empty = no member has joined yet. */
    List<Integer> shares() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            return get(admin.describeConsumerGroups(List.of(GROUP)).all()).get(GROUP).members().stream()
                    .map(member -> member.assignment().topicPartitions().size())
                    .toList();
        } catch (IllegalStateException e) {
            if (e.getCause().getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
            throw e;
        }
    }

    private static <T> T get(KafkaFuture<T> future) {
        return get(future.toCompletionStage().toCompletableFuture());
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
