package io.mykit.delay.channel.contract;

/** What becomes of the names of headers on their way to a consumer. */
public enum HeaderNames {
    /** They arrive as the producer wrote them, and differ by their case. */
    AS_GIVEN,
    /** They arrive in lower case. A name that HTTP reserves is refused, and so are two that differ in case only. */
    AS_HTTP,
    /** The channel carries no headers. */
    NONE
}
