package io.mykit.delay.common.message;

/** The limits of a retry policy; one place for the parser, the configuration and the documentation. */
public final class RetryLimits {
    public static final int MAX_ATTEMPTS = 10_000;
    /** Entries in a list of gaps. */
    public static final int MAX_GAPS = 64;
    /** Milliseconds: 30 days. */
    public static final long MAX_GAP_MS = 30L * 24 * 3600 * 1000;

    public static final int MAX_MULTIPLIER = 10;

    private RetryLimits() {}
}
