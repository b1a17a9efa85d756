package io.mykit.delay.channel.rabbitmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.bounded.BoundedDelivery;
import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Publishes each batch over an AMQP channel that no other batch uses meanwhile, and answers when the broker has confirmed every message,
 * or after the send timeout. A confirm that came in time counts, also if the rest of the batch has none. A broker that confirms slowly
 * gets fewer messages at a time ({@link ConfirmWindow}); those that do not come to it wait. Thread-safe.
 */
final class RabbitMqChannel implements DeliveryChannel {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    /** A broker that answered in this time is up. A question would wait behind the messages of a slow one. */
    private static final Duration RECENTLY = Duration.ofSeconds(1);

    private final LinkSource links;
    private final MessageMapping mapping;
    private final Duration sendTimeout;
    private final BoundedDelivery bounded;
    private final ConfirmWindow window;
    private volatile boolean closed;

    /** Does not connect. */
    RabbitMqChannel(Connector connector, MessageMapping mapping, Duration sendTimeout) {
        this.mapping = mapping;
        this.sendTimeout = sendTimeout;
        this.bounded = new BoundedDelivery(RabbitMqSettings.CHANNEL, sendTimeout);
        this.window = new ConfirmWindow(sendTimeout, System::nanoTime);
        this.links = new LinkSource(connector, window::restart);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> messages) {
        long begunNanos = window.now();
        Batch batch = new Batch(messages, window);
        for (int place = 0; place < messages.size(); place++) {
            Optional<String> objection = mapping.objection(messages.get(place));
            if (objection.isPresent()) {
                batch.set(place, Delivery.refused(objection.get()));
            }
        }
        if (closed) {
            return batch.end("the channel is closed");
        }
        BatchSend send = new BatchSend(links, mapping, batch, sendTimeout);
        bounded.aside(send::run);
        String why = "no confirmation within " + sendTimeout.toMillis() + " ms";
        try {
            if (batch.await(sendTimeout)) {
                return batch.end("");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            why = "interrupted before the confirmation";
        }
        if (batch.isAnyUnanswered()) {
            window.timedOut();
        }
        Delivery unsent = window.hasAnsweredSince(begunNanos)
                ? Delivery.full(
                        "the broker confirms slowly; " + window.size() + " messages may be unconfirmed at a time")
                : Delivery.notSent(why);
        List<Delivery> known = batch.end(why, unsent);
        bounded.aside(send::abandon);
        return known;
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        return mapping.objection(message);
    }

    /** Up if the broker has answered a moment ago, or answers now, and reads messages. */
    @Override
    public Health health() {
        if (closed) {
            return Health.down("the channel is closed");
        }
        return bounded.health(() -> {
            try {
                BrokerLink link = links.get(sendTimeout);
                if (link.isBlocked() || link.isSilentSince(System.nanoTime() - RECENTLY.toNanos())) {
                    link.roundTrip();
                }
                return Health.up(link.details());
            } catch (NotSentException e) {
                return Health.down(e.getMessage());
            } catch (IOException e) {
                return Health.down(SendFaults.reason(e));
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        bounded.atMost(CLOSE_TIMEOUT, links::close);
        links.cut();
        bounded.close();
    }
}
