package io.mykit.delay.access;

/** The callers that may use a route, if tokens are configured. */
public enum Access {
    /** Probes of supervisors. They may use any host name. */
    PROBES,
    /** Everybody. The answer may depend on the caller. */
    EVERYBODY,
    /** Everybody but a caller with an unknown token. */
    LOGIN,
    /** Producers and operators. */
    PRODUCERS,
    /** Consumers and operators. */
    CONSUMERS,
    /** Viewers and operators: calls that show the queue and change nothing. */
    VIEWERS,
    /** Producers, consumers, viewers and operators: calls that show one message. */
    PRODUCERS_AND_VIEWERS,
    /** Producers, consumers, viewers and operators; never a caller without a token. */
    KNOWN,
    /** {@link #KNOWN} if the query names the topic and the business key of the messages; otherwise {@link #VIEWERS}. */
    KNOWN_BY_KEY,
    /** As {@link #VIEWERS}. Monitoring systems may use any host name. */
    SCRAPES,
    OPERATORS,
    /** Administrators. These calls are closed while nobody has a token. */
    ADMINS;

    /** Whether a token that is not accepted refuses no call. */
    boolean isOpen() {
        return this == PROBES || this == EVERYBODY;
    }

    /** Whether a caller waits for the work of the call: it has a trace. */
    public boolean isTraced() {
        return this == PRODUCERS || this == CONSUMERS;
    }
}
