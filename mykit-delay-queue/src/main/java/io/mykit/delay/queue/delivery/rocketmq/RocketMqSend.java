package io.mykit.delay.queue.delivery.rocketmq;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.delivery.BoundedSend;
import io.mykit.delay.queue.delivery.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;

/** The sends of one batch, within one send timeout together. */
final class RocketMqSend implements BoundedSend {
    private final LazyProducer producer;
    private final long deadlineNanos;

    RocketMqSend(LazyProducer producer, Duration sendTimeout) {
        this.producer = producer;
        this.deadlineNanos = System.nanoTime() + sendTimeout.toNanos();
    }

    @Override
    public Fate send(List<DelayMessage> part) throws Exception {
        List<Message> messages = part.stream().map(MessageMapping::toMessage).toList();
        DefaultMQProducer running = producer.get();
        long leftMs = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
        SendResult result;
        try {
            result = messages.size() == 1 ? running.send(messages.get(0), leftMs) : running.send(messages, leftMs);
        } catch (Exception e) {
            Optional<Delivery> fault = SendFaults.ofMessage(e);
            if (fault.isPresent()) {
                return Fate.ofSomebody(fault.get());
            }
            throw e;
        }
        if (result.getSendStatus() == SendStatus.SEND_OK) {
            return Fate.ofAll(Delivery.DELIVERED);
        }
        // It lies in the broker's memory but not yet as safely as the broker was told to keep it. It is sent again, so
        // a consumer may see it twice; never in halves, which would only add to that.
        return Fate.ofAll(Delivery.failed("broker answered " + result.getSendStatus()));
    }

    @Override
    public void abandon() {
        // Nothing is held: the call was interrupted, and the client gives up by its own timeout otherwise.
    }
}
