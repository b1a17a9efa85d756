package io.mykit.delay.test.bench.rig;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.Collection;
import java.util.UUID;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Reads all queues of a topic from their ends. Its queues are assigned by hand, which takes no time. */
final class RocketMqSink implements Sink {
    private static final long POLL_MS = 100;

    private final DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("sink-" + UUID.randomUUID());
    private final Thread reader;
    private volatile Tally tally = new Tally();
    private volatile boolean closed;

    /** The topic must be there. */
    RocketMqSink(String nameServers, String topic) throws MQClientException {
        consumer.setNamesrvAddr(nameServers);
        consumer.setInstanceName("sink-" + UUID.randomUUID());
        consumer.setAutoCommit(false);
        consumer.setPullBatchSize(256);
        consumer.setPullThresholdForAll(200_000);
        consumer.setPullThresholdForQueue(50_000);
        consumer.start();
        Collection<MessageQueue> queues = consumer.fetchMessageQueues(topic);
        consumer.assign(queues);
        for (MessageQueue queue : queues) {
            consumer.seekToEnd(queue);
        }
        reader = Threads.daemon("sink-" + topic, this::read);
        reader.start();
    }

    @Override
    public void restart(Tally next) {
        tally = next;
    }

    private void read() {
        while (!closed) {
            for (MessageExt message : consumer.poll(POLL_MS)) {
                String micros = message.getUserProperty(DUE_MICROS);
                tally.arrived(
                        micros == null
                                ? Long.parseLong(message.getUserProperty(DUE_TIME)) * 1000
                                : Long.parseLong(micros),
                        message.getUserProperty(ID));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.shutdown();
    }
}
