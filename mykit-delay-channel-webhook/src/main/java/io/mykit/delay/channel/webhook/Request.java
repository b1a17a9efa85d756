package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.webhook.destination.Destination;

/**
 * The first line of a request, and its receiver. Immutable.
 *
 * @param own whether the message named the destination; if not, it is that of the section
 */
record Request(Destination destination, String method, boolean own) {
    /** GET and DELETE have no body. */
    boolean hasBody() {
        return !method.equals("GET") && !method.equals("DELETE");
    }
}
