package io.mykit.delay.test.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.server.RocketMqAccess;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
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
public final class RocketMqInbox implements Inbox {
    private static final long POLL_MS = 50;

    private final String topic;
    private final DefaultLitePullConsumer consumer;
    private final List<Arrival> arrivals = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile boolean closed;

    /** Opens at once; the topic may come into being later. */
    public RocketMqInbox(String nameServerAddress, String topic) {
        this(nameServerAddress, topic, RocketMqAccess.OPEN, "");
    }

    /**
     * The same, for a broker that demands an account.
     *
     * @param namespace of the consumer, as its users set it; may be empty
     */
    @SuppressWarnings("deprecation")
    public RocketMqInbox(String nameServerAddress, String topic, RocketMqAccess access, String namespace) {
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
        reader.interrupt();
        consumer.shutdown();
    }

    private void read() {
        try {
            awaitBeginning();
            while (!closed) {
                consumer.poll(POLL_MS).forEach(message -> arrivals.add(arrival(message)));
            }
        } catch (RuntimeException e) {
            if (!closed) {
                throw new IllegalStateException("inbox of " + topic, e);
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

    private static Arrival arrival(MessageExt message) {
        Map<String, Object> properties = new HashMap<>(message.getProperties());
        String id = message.getUserProperty("id");
        String keys = message.getKeys();
        String bizKey = keys.equals(id) ? "" : keys.substring(id.length() + 1);
        return new Arrival(
                id,
                message.getTags() == null ? "" : message.getTags(),
                bizKey,
                Long.parseLong(message.getUserProperty("dueTime")),
                new String(message.getBody(), UTF_8),
                System.currentTimeMillis(),
                properties);
    }
}
