package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;

/** The channel of one batch of a limited topic: it counts the messages that the channel has. Thread-safe. */
class LimitedChannel implements DeliveryChannel {
    private final DeliveryChannel channel;
    private final IntConsumer sent;
    private final IntConsumer answered;

    private LimitedChannel(DeliveryChannel channel, IntConsumer sent, IntConsumer answered) {
        this.channel = channel;
        this.sent = sent;
        this.answered = answered;
    }

    /**
     * @param sent gets the number of messages right before the channel gets them
     * @param answered gets the number of messages when their fates are known
     */
    static DeliveryChannel of(DeliveryChannel channel, IntConsumer sent, IntConsumer answered) {
        return channel instanceof AsyncDeliveryChannel async
                ? new Async(async, sent, answered)
                : new LimitedChannel(channel, sent, answered);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        sent.accept(batch.size());
        try {
            return channel.deliver(topic, batch);
        } finally {
            answered.accept(batch.size());
        }
    }

    @Override
    public Health health() {
        return channel.health();
    }

    @Override
    public void close() {
        channel.close();
    }

    private static final class Async extends LimitedChannel implements AsyncDeliveryChannel {
        private final AsyncDeliveryChannel channel;

        private Async(AsyncDeliveryChannel channel, IntConsumer sent, IntConsumer answered) {
            super(channel, sent, answered);
            this.channel = channel;
        }

        @Override
        public Optional<Delivery> full(DelayMessage message) {
            return channel.full(message);
        }

        @Override
        public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
            super.sent.accept(batch.size());
            int unanswered = batch.size();
            try {
                List<CompletableFuture<Delivery>> fates = List.copyOf(channel.send(topic, batch));
                unanswered -= fates.size();
                return fates.stream()
                        .map(fate -> fate.whenComplete((known, failure) -> super.answered.accept(1)))
                        .toList();
            } finally {
                // All of them if the channel threw. The caller refuses a list of another length.
                if (unanswered != 0) {
                    super.answered.accept(unanswered);
                }
            }
        }
    }
}
