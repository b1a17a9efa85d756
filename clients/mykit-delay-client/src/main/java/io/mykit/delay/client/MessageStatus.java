package io.mykit.delay.client;

import java.util.Arrays;

/** Where a message is on its way. */
public enum MessageStatus {
    /** It waits in the database alone. */
    WAIT_PUT,
    /** It waits in Redis. */
    DELAY,
    /** It is due. */
    READY,
    /** It was delivered: the broker, the receiver or the consumer confirmed it. */
    FINISH,
    /** It was cancelled. */
    DELETE,
    /** An operator is putting it back. */
    RESTORE,
    /** It is a dead letter. */
    FAILED,
    /** Its ttl ended before it could be delivered. */
    EXPIRED,
    /** A status that this client does not know, of a newer server. */
    UNKNOWN;

    static MessageStatus named(String name) {
        return Arrays.stream(values())
                .filter(status -> status.name().equals(name))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
