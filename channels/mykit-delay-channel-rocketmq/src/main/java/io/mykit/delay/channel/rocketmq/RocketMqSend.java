package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.BoundedSend;
import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.channel.rocketmq.RocketMqSettings.StoredUnconfirmed;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;

/** The sends of one batch. All of them share one send timeout. */
final class RocketMqSend implements BoundedSend {
    private final LazyProducer producer;
    private final MessageMapping mapping;
    private final StoredUnconfirmed fateOfUnconfirmed;
    private final Unconfirmed unconfirmed;
    private final long deadlineNanos;

    RocketMqSend(
            LazyProducer producer,
            MessageMapping mapping,
            StoredUnconfirmed fateOfUnconfirmed,
            Unconfirmed unconfirmed,
            Duration sendTimeout) {
        this.producer = producer;
        this.mapping = mapping;
        this.fateOfUnconfirmed = fateOfUnconfirmed;
        this.unconfirmed = unconfirmed;
        this.deadlineNanos = System.nanoTime() + sendTimeout.toNanos();
    }

    @Override
    public Fate send(List<DelayMessage> part) throws Exception {
        List<Message> messages = part.stream().map(mapping::toMessage).toList();
        DefaultMQProducer running = started();
        long leftMs = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
        SendResult result;
        SendTries tries = producer.tries();
        tries.begin();
        try {
            result = messages.size() == 1 ? running.send(messages.get(0), leftMs) : running.send(messages, leftMs);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            Optional<Delivery> fault = SendFaults.ofMessage(e);
            if (fault.isPresent()) {
                return Fate.ofSomebody(fault.get());
            }
            String reason =
                    producer.access().explained(SendFaults.ofPermission(e).orElseGet(() -> Reasons.of(e)));
            throw tries.mayHaveArrived() ? new IOException(reason, e) : new NotSentException(reason, e);
        }
        unconfirmed.answered(result.getMessageQueue().getBrokerName(), result.getSendStatus());
        return Fate.ofAll(ofStored(result.getSendStatus()));
    }

    private DefaultMQProducer started() throws NotSentException {
        try {
            return producer.get();
        } catch (MQClientException e) {
            throw new NotSentException(Reasons.of(e), e);
        }
    }

    /** The broker has stored the message, but perhaps not flushed or replicated it yet. */
    private Delivery ofStored(SendStatus status) {
        boolean delivered = status == SendStatus.SEND_OK || fateOfUnconfirmed == StoredUnconfirmed.DELIVERED;
        return delivered
                ? Delivery.DELIVERED
                : Delivery.unavailable("stored, but the broker answered " + status
                        + " (mykit.delay.rocketmq.stored-unconfirmed = unavailable)");
    }

    @Override
    public void abandon() {
        // There is no resource to release: the call was interrupted, or the client ends it by its own timeout.
    }
}
