package io.mykit.delay.test.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all partitions of a topic from their beginning, without a group. The topic must be there. */
public final class KafkaInbox implements Inbox {
    /** The property of an arrival that is the record's key. */
    public static final String KEY = "kafka.key";

    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile boolean closed;

    public KafkaInbox(String address, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        address,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                        false,
                        ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                        200),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        reader = Threads.daemon("inbox-" + topic, this::read);
        reader.start();
    }

    @Override
    public List<Arrival> arrivals() {
        return List.copyOf(arrivals);
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            reader.join(Duration.ofSeconds(10).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (consumer) {
            while (!closed) {
                consumer.poll(POLL).forEach(record -> arrivals.add(arrival(record)));
            }
        } catch (WakeupException e) {
            if (!closed) {
                throw e;
            }
        }
    }

    private static Arrival arrival(ConsumerRecord<byte[], byte[]> record) {
        Map<String, Object> properties = new HashMap<>();
        for (Header header : record.headers()) {
            properties.put(header.key(), new String(header.value(), UTF_8));
        }
        if (record.key() != null) {
            properties.put(KEY, new String(record.key(), UTF_8));
        }
        return new Arrival(
                taken(properties, "id"),
                taken(properties, "subtopic"),
                taken(properties, "bizKey"),
                Optional.of(taken(properties, "dueTime"))
                        .filter(text -> !text.isEmpty())
                        .map(Long::parseLong)
                        .orElse(0L),
                new String(record.value(), UTF_8),
                System.currentTimeMillis(),
                properties);
    }

    private static String taken(Map<String, Object> properties, String name) {
        Object value = properties.remove(name);
        return value == null ? "" : value.toString();
    }
}
