package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.webhook.service.Services;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Sends each message as one HTTP request. Thread-safe. */
final class WebhookChannel implements AsyncDeliveryChannel {
    private final Requests requests;
    private final Places places;
    private final Sender sender;
    private final Services services;
    /** Empty until a request failed. */
    private final Supplier<String> lastFailure;

    WebhookChannel(Requests requests, Places places, Sender sender, Services services, Supplier<String> lastFailure) {
        this.requests = requests;
        this.places = places;
        this.sender = sender;
        this.services = services;
        this.lastFailure = lastFailure;
    }

    @Override
    public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
        return batch.stream().map(this::send).toList();
    }

    private CompletableFuture<Delivery> send(Outgoing outgoing) {
        Optional<Request> request;
        try {
            request = requests.of(outgoing.message());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Delivery.refused(e.getMessage()));
        }
        Optional<String> forbidden = request.map(requests::forbidden)
                .orElseGet(() -> Optional.of(Requests.missing(outgoing.message().topic())));
        if (forbidden.isPresent()) {
            // The push was allowed, so the settings have changed since, and may change again.
            return CompletableFuture.completedFuture(Delivery.failed(forbidden.get()));
        }
        if (request.orElseThrow().destination().isService()) {
            return new ServiceAttempt(sender, places, outgoing, request.get()).begin(services);
        }
        Exchange exchange = new Exchange(sender, outgoing, request.get());
        places.enter(exchange);
        return exchange.fate();
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        try {
            return requests.of(message).isEmpty() ? Optional.of(Requests.missing(message.topic())) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public Optional<String> forbiddenTarget(DelayMessage message) {
        return requests.of(message).flatMap(requests::forbidden);
    }

    /** Always up: receivers are not asked, and one that is away is no fault of the channel. */
    @Override
    public Health health() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("inFlight", places.inFlight());
        details.put("waiting", places.waiting());
        details.put("openCircuits", places.openCircuits());
        if (!lastFailure.get().isEmpty()) {
            details.put("lastFailure", lastFailure.get());
        }
        return Health.up(details);
    }

    @Override
    public void close() {
        places.close();
        services.close();
        sender.lookups().close();
        sender.link().close();
    }
}
