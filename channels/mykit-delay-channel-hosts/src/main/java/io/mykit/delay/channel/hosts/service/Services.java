package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Finds the instances of services: those of the configuration first, else in the registry that it names. Thread-safe; no
 * call blocks.
 */
public final class Services {
    /** Messages may name services, so their number needs a bound. */
    static final int MAX_KNOWN = 1000;

    private static final float LOAD_FACTOR = 0.75f;

    private final StaticEndpoints configured;
    private final Optional<EndpointResolver> discovery;
    private final LongSupplier nanoTime;
    /** The services that were asked for, the last one at the end. The lock of this object guards it. */
    private final Map<String, KnownService> known = new LinkedHashMap<>(16, LOAD_FACTOR, true);

    /**
     * @param discovery the registry of all other services; empty = there are none
     * @param nanoTime as {@link System#nanoTime}
     */
    public Services(StaticEndpoints configured, Optional<EndpointResolver> discovery, LongSupplier nanoTime) {
        this.configured = configured;
        this.discovery = discovery;
        this.nanoTime = nanoTime;
    }

    /** Whether the configuration has the service, or a registry that can be asked for it. */
    public boolean mayKnow(String service) {
        return configured.has(service) || discovery.isPresent();
    }

    /**
     * The instances of a service in the order in which an attempt should try them; each has its turn to be the first. The
     * stage fails if the registry does not answer and its last answer is too old.
     */
    public CompletionStage<List<Destination>> inTurn(String service) {
        Optional<EndpointResolver> registry = configured.has(service) ? Optional.of(configured) : discovery;
        return registry.map(asked -> known(service, asked).inTurn())
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
    }

    /** The instances that the registry told last; empty if the service is not known yet. Asks no registry. */
    public synchronized List<Destination> known(String service) {
        KnownService found = known.get(service);
        return found == null ? List.of() : found.last();
    }

    private synchronized KnownService known(String service, EndpointResolver registry) {
        KnownService found = known.computeIfAbsent(service, name -> new KnownService(name, registry, nanoTime));
        if (known.size() > MAX_KNOWN) {
            known.remove(known.keySet().iterator().next());
        }
        return found;
    }

    /** Idempotent, bounded in time. */
    public void close() {
        discovery.ifPresent(EndpointResolver::close);
    }
}
