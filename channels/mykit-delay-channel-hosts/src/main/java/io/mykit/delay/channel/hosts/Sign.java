package io.mykit.delay.channel.hosts;

/** The health of a receiver, as one request showed it. */
public enum Sign {
    WELL,
    /** It answered with an error. */
    ILL,
    /** It did not answer. */
    SILENT
}
