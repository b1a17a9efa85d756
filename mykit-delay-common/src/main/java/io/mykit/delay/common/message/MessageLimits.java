package io.mykit.delay.common.message;

/** The limits of a message's fields; one place for the parser, the table and the documentation. */
public final class MessageLimits {
    /** Characters (UTF-16 units). */
    public static final int MAX_ID = 128;
    /** Characters (UTF-16 units). */
    public static final int MAX_TOPIC = 128;
    /** Characters (UTF-16 units). */
    public static final int MAX_SUBTOPIC = 250;
    /** Characters (UTF-16 units). */
    public static final int MAX_BIZ_KEY = 128;
    /** The highest priority. */
    public static final int MAX_PRIORITY = 9;
    /** Seconds; the maximum of the INT column in the original table. */
    public static final long MAX_TTL_SECONDS = Integer.MAX_VALUE;
    /**
     * Epoch milliseconds, the first of 2001. A time in seconds is below this limit for the next thirty thousand years. Read
     * as milliseconds it would lie in 1970, and the message would be due at once.
     */
    public static final long MIN_TIME_MS = 978_307_200_000L;
    /** Epoch milliseconds, the last of the year 9999: a double has 53 bits, so bits remain for the priority. */
    public static final long MAX_DUE_TIME_MS = 253_402_300_799_999L;
    /** Bytes, of the UTF-8 of a text or before Base64. */
    public static final int MAX_RESULT_BYTES = 64 << 10;
    /** Characters of printable ASCII. */
    public static final int MAX_IDEMPOTENCY_KEY = 64;
    /** Characters of printable ASCII. */
    public static final int MAX_REQUEST_ID = 128;
    /** The keys that a message keeps: a repeat is recognized although a few other pushes have replaced the message since. */
    public static final int MAX_IDEMPOTENCY_KEYS = 4;
    /** Items in one batch. */
    public static final int MAX_BATCH = 1000;

    private MessageLimits() {}
}
