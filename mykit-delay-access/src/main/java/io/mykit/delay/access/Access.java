package io.mykit.delay.access;

/** The callers that may use a route, if tokens are configured. */
public enum Access {
    /** Probes of supervisors. They may use any host name. */
    PROBES,
    /** Everybody. The answer may depend on the caller. */
    EVERYBODY,
    /** Everybody but a caller with an unknown token. */
    LOGIN,
    /** Producers, consumers and operators. */
    PRODUCERS,
    /** Viewers and operators: calls that show the queue and change nothing. */
    VIEWERS,
    /** As {@link #PRODUCERS}, and viewers too: calls that show one message. */
    PRODUCERS_AND_VIEWERS,
    /** Producers, viewers and operators; never a caller without a token. */
    KNOWN,
    /** {@link #KNOWN} if the query names the topic and the business key of the messages; otherwise {@link #VIEWERS}. */
    KNOWN_BY_KEY,
    /** As {@link #VIEWERS}. Monitoring systems may use any host name. */
    SCRAPES,
    OPERATORS
}
