package io.mykit.delay.test.delivery;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.server.RocketMqAccess;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.awaitility.Awaitility;

/**
 * Reads every queue of a topic from its beginning. The queues are assigned by hand: a consumer group would first
 * distribute the queues, which takes up to half a minute.
 */
public final class RocketMqReader implements AutoCloseable {
    private static final long POLL_MS = 50;

    private final String topic;
    private final DefaultLitePullConsumer consumer;
    private final Consumer<MessageExt> sink;
    private final Thread reader;
    private volatile boolean closed;

    /**
     * Opens at once; the topic may come into being later.
     *
     * @param namespace of the consumer, as its users set it; may be empty
     * @param sink takes the messages, on one thread
     */
    @SuppressWarnings("deprecation")
    public RocketMqReader(
            String nameServerAddress,
            String topic,
            RocketMqAccess access,
            String namespace,
            Consumer<MessageExt> sink) {
        this.sink = sink;
        this.topic = topic;
        consumer = new DefaultLitePullConsumer("inbox-" + UUID.randomUUID(), access.signing());
        consumer.setUseTLS(access.tls());
        consumer.setNamespace(namespace);
        consumer.setNamesrvAddr(nameServerAddress);
        consumer.setInstanceName("inbox-" + UUID.randomUUID());
        consumer.setAutoCommit(false);
        consumer.setPullBatchSize(256);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        // By itself it looks for a broker that came back after half a minute, and messages seem to arrive that late.
        consumer.setPollNameServerInterval(1000);
        try {
            consumer.start();
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        }
        reader = Threads.daemon("reader-" + topic, this::read);
        reader.start();
    }

    @Override
    public void close() {
        closed = true;
        reader.interrupt();
        consumer.shutdown();
    }

    private void read() {
        try {
            awaitBeginning();
            while (!closed) {
                consumer.poll(POLL_MS).forEach(sink);
            }
        } catch (RuntimeException e) {
            if (!closed) {
                throw new IllegalStateException("reader of " + topic, e);
            }
        }
    }

    /**
     * Waits until the name server knows the topic. The group is new, so that each queue is read from its first message. A
     * {@code seek} to it would race with the pull that an assignment begins: the client may lose that position and begin
     * at the end of the queue.
     */
    private void awaitBeginning() {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> {
                    Collection<MessageQueue> queues = consumer.fetchMessageQueues(topic);
                    consumer.assign(queues);
                    return !queues.isEmpty();
                });
    }
}
