package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.hosts.destination.Destination;

/**
 * The first line of a request, and its receiver. Immutable.
 *
 * @param destination for a service, the service or one of its instances
 * @param own whether the message named the destination; if not, it is that of the section
 * @param service the service that the destination is an instance of; empty = none
 */
record Request(Destination destination, String method, boolean own, String service) {
    /** The request to one instance of the service that is the destination. */
    Request to(Destination instance) {
        return new Request(instance.withPath(destination.path()), method, own, destination.host());
    }

    boolean toInstance() {
        return !service.isEmpty();
    }

    /** An instance has the addresses that its registry gives. The registry is the operator's, as the URLs of the section are. */
    boolean isGuarded() {
        return own && !toInstance();
    }

    /** Requests with the same receiver share its places. It has no path, which may hold secrets. */
    String receiver() {
        return toInstance() ? service + " at " + destination.receiver() : destination.receiver();
    }

    /** GET and DELETE have no body. */
    boolean hasBody() {
        return !method.equals("GET") && !method.equals("DELETE");
    }
}
