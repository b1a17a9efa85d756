package io.mykit.delay.channel.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The topics that exist, by one producer. A new topic is looked up in two steps, and neither blocks a thread: the admin client asks
 * whether it exists, which never makes it; then the producer learns its partitions. So a broker with {@code auto.create.topics.enable}
 * makes no topic for the channel, and a topic that is missing costs the others nothing. Thread-safe.
 */
final class KnownTopics {
    /** The producer forgets a topic that was not used for five minutes; it would ask for it in its own way then. */
    private static final long KEPT_NANOS = Duration.ofMinutes(4).toNanos();

    private static final long LOOK_MS = 5;

    private final Producer<byte[], byte[]> producer;
    private final Admin admin;
    private final ScheduledExecutorService looks;
    private final Duration timeout;
    /** The time of the last use of each topic, {@link System#nanoTime}. */
    private final ConcurrentMap<String, Long> used = new ConcurrentHashMap<>();
    /** The topics that are being looked up. */
    private final ConcurrentMap<String, CompletableFuture<Void>> asked = new ConcurrentHashMap<>();

    /** @param looks the thread that completes the futures; nothing on it may block */
    KnownTopics(Producer<byte[], byte[]> producer, Admin admin, ScheduledExecutorService looks, Duration timeout) {
        this.producer = producer;
        this.admin = admin;
        this.looks = looks;
        this.timeout = timeout;
    }

    /** Whether records of this topic can be given to the producer at once. */
    boolean isReady(String topic) {
        long now = System.nanoTime();
        Long last = used.get(topic);
        if (last == null || now - last > KEPT_NANOS) {
            return false;
        }
        used.put(topic, now);
        return hasPartitions(topic);
    }

    /** Completes when records of this topic can be given to the producer, and fails with the reason why they cannot. */
    CompletableFuture<Void> lookUp(String topic) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        CompletableFuture<Void> sameQuestion = asked.putIfAbsent(topic, answer);
        if (sameQuestion != null) {
            return sameQuestion;
        }
        CompletableFuture<Void> unused = answer.whenComplete((ready, failure) -> asked.remove(topic, answer));
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        try {
            DescribeTopicsOptions inTime = new DescribeTopicsOptions().timeoutMs(Math.toIntExact(timeout.toMillis()));
            KafkaFuture<?> described = admin.describeTopics(List.of(topic), inTime)
                    .topicNameValues()
                    .get(topic);
            KafkaFuture<?> unusedToo = described.whenComplete((found, failure) -> {
                if (failure == null) {
                    onThread(answer, () -> look(topic, answer, deadlineNanos), 0);
                } else {
                    answer.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            // An answer that is never given would hold up this topic for good.
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private void look(String topic, CompletableFuture<Void> answer, long deadlineNanos) {
        try {
            if (producer.partitionsFor(topic).isEmpty()) {
                throw new TimeoutException("the producer knows no partition of " + topic);
            }
            long now = System.nanoTime();
            used.values().removeIf(last -> now - last > KEPT_NANOS);
            used.put(topic, now);
            answer.complete(null);
        } catch (TimeoutException e) {
            if (System.nanoTime() >= deadlineNanos) {
                answer.completeExceptionally(e);
            } else {
                onThread(answer, () -> look(topic, answer, deadlineNanos), LOOK_MS);
            }
        } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
        }
    }

    private void onThread(CompletableFuture<Void> answer, Runnable look, long delayMs) {
        try {
            ScheduledFuture<?> unused = looks.schedule(look, delayMs, TimeUnit.MILLISECONDS);
        } catch (RuntimeException | Error e) {
            // The thread is started by its first task, and may not start; the caller drops what is thrown.
            answer.completeExceptionally(e);
        }
    }

    /** Notes that the topic may be gone. */
    void forget(String topic) {
        used.remove(topic);
    }

    private boolean hasPartitions(String topic) {
        try {
            return !producer.partitionsFor(topic).isEmpty();
        } catch (KafkaException | IllegalStateException e) {
            // The producer has forgotten the topic, or cannot be used: the lookup tells the reason.
            return false;
        }
    }
}
