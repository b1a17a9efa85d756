package io.mykit.delay.grpc.pull;

import static io.mykit.delay.common.message.FieldRules.invalid;

import com.google.protobuf.ByteString;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PullRules;
import io.mykit.delay.v1.PullRequest;
import io.mykit.delay.v1.PulledMessage;
import java.time.Duration;

/** The fields of a pull and of the messages in its answer. Stateless. */
final class PullFields {
    private PullFields() {}

    /**
     * @param maxWait the longest wait of a consumer
     * @param address of the consumer, which is its name if it gives none
     */
    static PullOrder order(PullRequest request, Duration maxWait, String address) {
        long count = request.hasCount() ? request.getCount() : 1;
        if (count < 1 || count > PullRules.MAX_COUNT) {
            throw invalid("count must be from 1 to " + PullRules.MAX_COUNT);
        }
        return new PullOrder(
                PullRules.topics(request.getTopicsList()),
                (int) count,
                FieldRules.range("wait", Duration.ofMillis(request.getWait()), Duration.ZERO, maxWait),
                request.getTtr() == 0 ? null : ttr(request.getTtr()),
                false,
                request.getConsumer().isEmpty()
                        ? PullRules.consumerAt(address)
                        : PullRules.consumer(request.getConsumer()));
    }

    static Duration ttr(long milliseconds) {
        return FieldRules.range("ttr", Duration.ofMillis(milliseconds), PullRules.MIN_TTR, PullRules.MAX_TTR);
    }

    static PulledMessage of(io.mykit.delay.queue.consumer.PulledMessage pulled) {
        DelayMessage message = pulled.message();
        PulledMessage.Builder data = PulledMessage.newBuilder()
                .setId(message.id())
                .setTopic(message.topic())
                .setSubtopic(message.subtopic())
                .setBizKey(message.bizKey())
                .putAllHeaders(message.extras().headers())
                .setCreateTime(message.createTimeMs())
                .setDueTime(message.firstDueMs())
                .setPriority(message.priority())
                .setAttempt(pulled.attempt())
                .setDeliveries(pulled.deliveries())
                .setMaxAttempts(pulled.maxAttempts())
                .setReceipt(pulled.receipt())
                .setLeaseUntil(pulled.leaseUntilMs());
        if (message.extras().binary()) {
            data.setData(ByteString.copyFrom(message.bodyBytes()));
        } else {
            data.setText(message.body());
        }
        return data.build();
    }
}
