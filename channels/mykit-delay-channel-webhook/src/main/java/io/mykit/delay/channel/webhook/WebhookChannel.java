package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.Places;
import io.mykit.delay.channel.hosts.TargetedTopics;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.service.Services;
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

    private final TargetedTopics targeted = new TargetedTopics(System::nanoTime);

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
        if (request.orElseThrow().own()) {
            targeted.add(outgoing.message().topic());
        }
        if (request.get().destination().isService()) {
            return new ServiceAttempt(sender, places, outgoing, request.get()).begin(services);
        }
        Exchange exchange = new Exchange(sender, outgoing, request.get());
        places.enter(exchange);
        return exchange.fate();
    }

    /**
     * A topic without a URL, and a topic whose messages name targets lately, may have messages for receivers that are not full. Their
     * messages find out whether there is a place.
     */
    @Override
    public int places(String topic) {
        Optional<Request> request = requests.ofTopic(topic);
        return request.isEmpty() || targeted.contains(topic) ? Integer.MAX_VALUE : places(request.get());
    }

    private int places(Request request) {
        if (!request.destination().isService()) {
            return places.free(false, request.receiver());
        }
        List<Destination> instances = services.known(request.destination().host());
        return instances.isEmpty()
                ? Integer.MAX_VALUE
                : instances.stream()
                        .mapToInt(instance ->
                                places.free(false, request.to(instance).receiver()))
                        .sum();
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

    /**
     * The messages name their receivers, so it is not known which ones the topic has. All receivers that are kept from requests get one
     * as a probe.
     */
    @Override
    public void tryNow(String topic) {
        places.tryNow();
    }

    /** The receiver without its path, which may hold secrets. */
    @Override
    public Optional<String> destination(DelayMessage message) {
        try {
            return requests.of(message).map(Request::receiver);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
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
