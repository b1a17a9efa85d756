package io.mykit.delay.channel.hosts.service;

import java.util.concurrent.CompletionStage;

/** Asks one registry for the instances of services. {@link Services} remembers the answers. Thread-safe. */
public interface EndpointResolver {
    /**
     * Asks for the instances of a service. Does not block. The stage fails if the registry gives no usable answer. A service
     * that the registry does not know has no instances.
     */
    CompletionStage<Endpoints> find(String service);

    /** Ends the connections to the registry. Idempotent, bounded in time. */
    void close();
}
