package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.hosts.destination.Destination;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/**
 * One attempt of a message whose URL names a service. It goes to the instance whose turn it is. If there is no connection to
 * it, nothing was sent, and the attempt goes to one more instance. An instance whose circuit is open is passed over while
 * another one is not, and so is one without free places. Used once; the steps run on the threads that complete the lookup and the exchange.
 */
final class ServiceAttempt {
    private final Hosts hosts;
    private final Exchanges exchanges;
    private final Outgoing outgoing;
    private final Request request;
    private final CompletableFuture<Delivery> fate = new CompletableFuture<>();

    /**
     * @param request whose destination is a service
     */
    ServiceAttempt(Hosts hosts, Exchanges exchanges, Outgoing outgoing, Request request) {
        this.hosts = hosts;
        this.exchanges = exchanges;
        this.outgoing = outgoing;
        this.request = request;
    }

    /** Begins, and returns the fate at once. */
    CompletableFuture<Delivery> begin() {
        orUnclear(hosts.services().inTurn(request.destination().host()).whenComplete((instances, thrown) -> {
            if (thrown != null) {
                boolean wrapped = thrown instanceof CompletionException && thrown.getCause() != null;
                notFound("no answer of the registry: " + Reasons.of(wrapped ? thrown.getCause() : thrown));
            } else if (instances.isEmpty()) {
                notFound("no instance");
            } else {
                sendTo(next(instances).orElse(instances.get(0)), instances);
            }
        }));
        return fate;
    }

    private void sendTo(Destination instance, List<Destination> instances) {
        HostExchange first = enter(instance);
        orUnclear(first.fate().thenAccept(decided -> {
            List<Destination> others =
                    instances.stream().filter(other -> !other.equals(instance)).toList();
            Optional<Destination> second = first.unconnected() ? second(others) : Optional.empty();
            second.ifPresentOrElse(
                    other -> orUnclear(enter(other).fate().thenAccept(last -> decide(other, last))),
                    () -> decide(instance, decided));
        }));
    }

    /** The first instance whose circuit is not open; one that has free places, if there is any. */
    private Optional<Destination> next(List<Destination> instances) {
        List<Destination> well = instances.stream()
                .filter(instance -> !hosts.places()
                        .isPaused(request.own(), request.to(instance).receiver()))
                .toList();
        return well.stream()
                .filter(instance ->
                        hosts.places().free(request.own(), request.to(instance).receiver()) > 0)
                .findFirst()
                .or(() -> well.stream().findFirst());
    }

    /** A circuit may keep the messages that named the service from it, and not those of the topic. */
    private Optional<Destination> second(List<Destination> others) {
        return next(others)
                .or(() -> others.stream().filter(other -> !request.own()).findFirst());
    }

    private HostExchange enter(Destination instance) {
        HostExchange exchange = exchanges.of(outgoing, request.to(instance));
        hosts.places().enter(exchange);
        return exchange;
    }

    /** The reason of a failure names the instance. */
    private void decide(Destination instance, Delivery decided) {
        boolean failed = decided.kind() != Delivery.Kind.DELIVERED;
        fate.complete(failed ? decided.because(request.to(instance).receiver() + ": " + decided.detail()) : decided);
    }

    /** A step that throws must not leave the fate open. */
    private void orUnclear(CompletionStage<?> step) {
        step.whenComplete((done, thrown) -> {
            if (thrown != null) {
                fate.complete(Delivery.unclear(Reasons.of(thrown)));
            }
        });
    }

    private void notFound(String why) {
        String detail = request.destination().receiver() + ": " + why;
        hosts.failed(detail);
        fate.complete(request.own() ? Delivery.failed(detail) : Delivery.notSent(detail));
    }
}
