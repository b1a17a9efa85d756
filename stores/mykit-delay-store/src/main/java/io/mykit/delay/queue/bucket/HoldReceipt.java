package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.Crockford;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * What the receipt of a hold tells: its consumer, and when the message was handed out. The text has 8 characters of the time, 8 random
 * ones, and behind a {@code ~} the consumer. The first 16 tell one hold from another; the consumer is for people only. A receipt of an
 * older version has 16 random characters and no {@code ~}. Immutable.
 *
 * @param text as the index has it: it settles the message
 * @param consumer its name or address; empty = not known
 * @param sinceMs epoch milliseconds
 */
public record HoldReceipt(String text, String consumer, long sinceMs) {
    /**
     * The maximum of characters of a consumer. A receipt goes to its consumer with the version and the attempts of the message, and nodes of
     * older versions take 64 characters.
     */
    public static final int MAX_CONSUMER = 30;

    private static final SecureRandom RANDOM = new SecureRandom();
    /** 2020-01-01: from there, 40 bits are enough for 34 years. */
    private static final long ORIGIN_MS = 1_577_836_800_000L;

    private static final int PART = 8;
    private static final char MARK = '~';
    /** A dot ends the receipt in the text that a consumer gets. */
    private static final char DOT = ',';

    /** Draws the receipt of a hold: its time, and 40 random bits. */
    public static String draw(long nowMs, String consumer) {
        char[] text = new char[2 * PART];
        Crockford.write(Math.max(0, nowMs - ORIGIN_MS), text, 0, PART);
        Crockford.write(RANDOM.nextLong(), text, PART, PART);
        return new String(text) + MARK + consumer.replace('.', DOT);
    }

    /** The receipt of the same hold with another consumer. */
    public static String rename(String receipt, String consumer) {
        return hold(receipt) + MARK + consumer.replace('.', DOT);
    }

    /** Whether both are receipts of one hold. */
    public static boolean same(String one, String other) {
        return hold(one).equals(hold(other));
    }

    /** Empty if a node of an older version drew the receipt, or if it belongs to a message that a leader left when it stopped. */
    public static Optional<HoldReceipt> read(String receipt) {
        int mark = receipt.indexOf(MARK);
        long time = mark == 2 * PART ? Crockford.read(receipt, 0, PART) : -1;
        return time < 0
                ? Optional.empty()
                : Optional.of(
                        new HoldReceipt(receipt, receipt.substring(mark + 1).replace(DOT, '.'), ORIGIN_MS + time));
    }

    /**
     * The receipt as a consumer gets it, with the version of the message and the number of its failed attempts. Most messages have neither.
     *
     * @param receipt as the index has it
     */
    public static String forConsumer(String receipt, int version, int attempts) {
        return version == 0 && attempts == 0 ? receipt : receipt + "." + version + "." + attempts;
    }

    private static String hold(String receipt) {
        int mark = receipt.indexOf(MARK);
        return mark < 0 ? receipt : receipt.substring(0, mark);
    }
}
