package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sends each message as one request to its host. Thread-safe. */
public final class HostChannel implements AsyncDeliveryChannel {
    private final Hosts hosts;
    private final Requests requests;
    private final Exchanges exchanges;
    private final TargetedTopics targeted = new TargetedTopics(System::nanoTime);

    /**
     * @param hosts this channel closes them
     * @param exchanges make the attempts
     */
    public HostChannel(Hosts hosts, Requests requests, Exchanges exchanges) {
        this.hosts = hosts;
        this.requests = requests;
        this.exchanges = exchanges;
    }

    @Override
    public List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch) {
        return batch.stream().map(this::send).toList();
    }

    private CompletableFuture<Delivery> send(Outgoing outgoing) {
        Optional<Request> request;
        try {
            request = request(outgoing.message());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Delivery.refused(e.getMessage()));
        }
        Optional<String> forbidden = request.map(this::forbidden)
                .orElseGet(() -> Optional.of(requests.missing(outgoing.message().topic())));
        if (forbidden.isPresent()) {
            // The push was allowed, so the settings have changed since, and may change again.
            return CompletableFuture.completedFuture(Delivery.failed(forbidden.get()));
        }
        if (request.orElseThrow().own()) {
            targeted.add(outgoing.message().topic());
        }
        if (request.get().destination().isService()) {
            return new ServiceAttempt(hosts, exchanges, outgoing, request.get()).begin();
        }
        HostExchange exchange = exchanges.of(outgoing, request.get());
        hosts.places().enter(exchange);
        return exchange.fate();
    }

    /**
     * A topic without a receiver, and a topic whose messages name targets lately, may have messages for receivers that are not full. Their
     * messages find out whether there is a place.
     */
    @Override
    public int places(String topic) {
        Optional<Request> request = requests.ofTopic(topic);
        return request.isEmpty() || targeted.contains(topic) ? Integer.MAX_VALUE : places(request.get());
    }

    private int places(Request request) {
        if (!request.destination().isService()) {
            return hosts.places().free(false, request.receiver());
        }
        List<Destination> instances =
                hosts.services().known(request.destination().host());
        return instances.isEmpty()
                ? Integer.MAX_VALUE
                : instances.stream()
                        .mapToInt(instance ->
                                hosts.places().free(false, request.to(instance).receiver()))
                        .sum();
    }

    /** Of messages that name a host, in topics that are known for them. Messages for a service look at all its instances when they are sent. */
    @Override
    public Optional<Delivery> full(DelayMessage message) {
        if (!targeted.contains(message.topic())) {
            return Optional.empty();
        }
        try {
            Optional<Request> named = requests.of(message)
                    .filter(request -> request.own() && !request.destination().isService());
            named.ifPresent(request -> targeted.add(message.topic()));
            return named.flatMap(request -> hosts.places().full(true, request.receiver()));
        } catch (IllegalArgumentException e) {
            // Its send says why it is refused.
            return Optional.empty();
        }
    }

    private Optional<Request> request(DelayMessage message) {
        HeaderRules.check(message.extras().headers());
        return requests.of(message);
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        try {
            return request(message).isEmpty() ? Optional.of(requests.missing(message.topic())) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public Optional<String> forbiddenTarget(DelayMessage message) {
        return requests.of(message).flatMap(this::forbidden);
    }

    /** The reason why the settings forbid a request; empty if they allow it, as far as its destination tells. */
    private Optional<String> forbidden(Request request) {
        if (!request.own()) {
            return Optional.empty();
        }
        Destination destination = request.destination();
        String notAllowed = requests.field() + " is not allowed: ";
        String channel = hosts.channel();
        if (hosts.targets().mayAllow(destination)) {
            return destination.isService() && !hosts.services().mayKnow(destination.host())
                    ? Optional.of(notAllowed + "the service " + destination.host()
                            + " is unknown; an operator can add it to " + channel + ".services, or set " + channel
                            + ".discovery")
                    : Optional.empty();
        }
        String reason = hosts.targets().isEmpty()
                ? channel + ".targets is empty"
                : "no pattern of " + channel + ".targets allows it";
        return Optional.of(notAllowed + reason + "; an operator can add a pattern for " + destination.receiver());
    }

    /**
     * The messages name their receivers, so it is not known which ones the topic has. All receivers that are kept from requests get one
     * as a probe.
     */
    @Override
    public void tryNow(String topic) {
        hosts.places().tryNow();
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
        details.put("inFlight", hosts.places().inFlight());
        details.put("waiting", hosts.places().waiting());
        details.put("openCircuits", hosts.places().openCircuits());
        if (!hosts.lastFailure().isEmpty()) {
            details.put("lastFailure", hosts.lastFailure());
        }
        return Health.up(details);
    }

    @Override
    public void close() {
        hosts.close();
    }
}
