package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all partitions of a topic from their ends, without a group. */
final class KafkaSink implements Sink {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long CLOSE_MS = 5_000;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread reader;
    private volatile Tally tally = new Tally();
    private volatile boolean closed;

    /** The topic must be there. */
    KafkaSink(String address, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        // The end of each partition is that of this moment, and not that of the first read.
        partitions.forEach(consumer::position);
        reader = Threads.daemon("sink-" + topic, this::read);
        reader.start();
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void read() {
        try (consumer) {
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    String micros = text(record, DUE_MICROS);
                    tally.arrived(
                            micros == null ? Long.parseLong(text(record, DUE_TIME)) * 1000 : Long.parseLong(micros),
                            text(record, ID));
                }
            }
        }
    }

    private static String text(ConsumerRecord<?, ?> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        try {
            reader.join(CLOSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
