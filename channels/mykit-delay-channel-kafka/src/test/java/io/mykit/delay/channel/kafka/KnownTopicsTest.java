package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each lookup has an answer. */
class KnownTopicsTest {
    private static final String TOPIC = "orders";

    private final AtomicBoolean noThreads = new AtomicBoolean();
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        if (noThreads.get()) {
            throw new Error("no thread");
        }
        return new Thread(task);
    });
    private final List<KafkaFutureImpl<TopicDescription>> questions = new ArrayList<>();
    private final KnownTopics topics = new KnownTopics(producer(), admin(), looks, Duration.ofSeconds(30));

    @AfterEach
    void close() {
        looks.shutdownNow();
    }

    @Test
    void aLookupWithoutAThreadFailsAndTheNextOneAsksAgain() throws Exception {
        noThreads.set(true);
        CompletableFuture<Void> first = topics.lookUp(TOPIC);
        questions.get(0).complete(null);
        assertThat(first).isCompletedExceptionally();

        noThreads.set(false);
        CompletableFuture<Void> second = topics.lookUp(TOPIC);
        questions.get(1).complete(null);
        second.get(30, TimeUnit.SECONDS);
        assertThat(topics.isReady(TOPIC)).isTrue();
    }

    private static MockProducer<byte[], byte[]> producer() {
        PartitionInfo partition = new PartitionInfo(TOPIC, 0, null, null, null);
        Cluster cluster = Cluster.empty().withPartitions(Map.of(new TopicPartition(TOPIC, 0), partition));
        return new MockProducer<>(cluster, true, null, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The test gives the answers of the broker. */
    private Admin admin() {
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("describeTopics");
                    KafkaFutureImpl<TopicDescription> question = new KafkaFutureImpl<>();
                    questions.add(question);
                    return new Described(Map.of(TOPIC, question));
                });
    }

    private static final class Described extends DescribeTopicsResult {
        Described(Map<String, KafkaFuture<TopicDescription>> byName) {
            super(null, byName);
        }
    }
}
