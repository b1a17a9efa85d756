package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.BoundedDelivery;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Sends messages to Kafka. The fate of a message is known when its record is confirmed. Thread-safe. */
final class KafkaChannel implements AsyncDeliveryChannel {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final String NOT_NOW = "this node must not send it any more";

    private final Clients clients;
    private final RecordMapping mapping;
    private final BrokerProbe probe;
    /** Only for health and close: no send waits. */
    private final BoundedDelivery bounded;

    KafkaChannel(Clients clients, RecordMapping mapping, BoundedDelivery bounded) {
        this.clients = clients;
        this.mapping = mapping;
        this.probe = new BrokerProbe(clients);
        this.bounded = bounded;
    }

    static KafkaChannel of(KafkaSettings settings, ClientProperties properties) {
        return new KafkaChannel(
                new Clients(properties, settings.sendTimeout()),
                new RecordMapping(settings.key(), properties.maxRecordBytes()),
                new BoundedDelivery("kafka", settings.sendTimeout()));
    }

    @Override
    public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
        List<CompletableFuture<Delivery>> fates = new ArrayList<>(batch.size());
        batch.forEach(message -> fates.add(new CompletableFuture<>()));
        CompletableFuture<?> unused = clients.get()
                .thenAccept(current -> send(current, RecordMapping.topic(topic), batch, fates))
                .exceptionally(failure -> {
                    end(fates, Delivery.notSent(SendFaults.reason(cause(failure))));
                    return null;
                });
        return fates;
    }

    private void send(
            Clients.Current current, String topic, List<Outgoing> batch, List<CompletableFuture<Delivery>> fates) {
        if (batch.isEmpty() || current.topics().isReady(topic)) {
            sendAll(current, batch, fates);
            return;
        }
        CompletableFuture<?> unused = current.topics().lookUp(topic).whenComplete((ready, failure) -> {
            if (failure == null) {
                sendAll(current, batch, fates);
            } else {
                end(fates, missing(topic, cause(failure)));
            }
        });
    }

    /** Does not throw: what fails is the fate of one message, and the others are sent. */
    void sendAll(Clients.Current current, List<Outgoing> batch, List<CompletableFuture<Delivery>> fates) {
        for (int i = 0; i < batch.size(); i++) {
            CompletableFuture<Delivery> fate = fates.get(i);
            try {
                send(current, batch.get(i), fate);
            } catch (Throwable e) { // An Error too: each message needs its fate.
                fate.complete(ended(
                        current, RecordMapping.topic(batch.get(i).message().topic()), e));
            }
        }
    }

    private void send(Clients.Current current, Outgoing outgoing, CompletableFuture<Delivery> fate) {
        Optional<String> objection = mapping.objection(outgoing.message());
        if (objection.isPresent()) {
            fate.complete(Delivery.refused(objection.get()));
        } else if (!outgoing.mayBeSent().getAsBoolean()) {
            fate.complete(Delivery.notSent(NOT_NOW));
        } else {
            var record = mapping.record(outgoing);
            // The callback says everything that the future says. A failure before the send calls it on this thread.
            var unused = current.producer()
                    .send(
                            record,
                            (stored, failure) -> fate.complete(
                                    failure == null ? Delivery.DELIVERED : ended(current, record.topic(), failure)));
        }
    }

    /** The fate of a message whose send failed. Does not throw. */
    private Delivery ended(Clients.Current current, String topic, Throwable failure) {
        Delivery fate = SendFaults.fate(failure);
        try {
            if (SendFaults.isOfTopic(failure)) {
                current.topics().forget(topic);
            }
            if (SendFaults.isFatal(failure)) {
                clients.broken(current);
            }
        } catch (Throwable e) { // An Error too: the message needs its fate.
            return fate.because(fate.detail() + "; then: " + Reasons.of(e));
        }
        return fate;
    }

    private static Delivery missing(String topic, Throwable reason) {
        return Delivery.notSent(
                reason instanceof UnknownTopicOrPartitionException
                        ? "Kafka has no topic " + topic + ", or hides it from this account; mykit-delay makes no topics"
                        : SendFaults.reason(reason));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static void end(List<CompletableFuture<Delivery>> fates, Delivery fate) {
        fates.forEach(open -> open.complete(fate));
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        return mapping.objection(message);
    }

    @Override
    public String nameAtBroker(String topic) {
        return RecordMapping.topic(topic);
    }

    /** Up if a broker answers and accepts the account. */
    @Override
    public Health health() {
        return bounded.health(probe);
    }

    @Override
    public void close() {
        bounded.atMost(CLOSE_TIMEOUT, clients::close);
        bounded.close();
    }
}
