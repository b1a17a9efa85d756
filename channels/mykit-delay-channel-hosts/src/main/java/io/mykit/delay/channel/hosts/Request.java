package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.hosts.destination.Destination;

/**
 * The receiver of a message, and the form of the request. Immutable.
 *
 * @param destination for a service, the service or one of its instances
 * @param form the method of HTTP, or the format of gRPC
 * @param own whether the message named the destination; if not, it is that of the section
 * @param service the service that the destination is an instance of; empty = none
 */
public record Request(Destination destination, String form, boolean own, String service) {
    /** A request to a destination that is no instance. */
    public Request(Destination destination, String form, boolean own) {
        this(destination, form, own, "");
    }

    /** The request to one instance of the service that is the destination. */
    Request to(Destination instance) {
        return new Request(instance.withPath(destination.path()), form, own, destination.host());
    }

    boolean toInstance() {
        return !service.isEmpty();
    }

    /** An instance has the addresses that its registry gives. The registry is the operator's, as the URLs of the section are. */
    boolean isGuarded() {
        return own && !toInstance();
    }

    /** Requests with the same receiver share its places. It has no path, which may hold secrets. */
    public String receiver() {
        return toInstance() ? service + " at " + destination.receiver() : destination.receiver();
    }
}
