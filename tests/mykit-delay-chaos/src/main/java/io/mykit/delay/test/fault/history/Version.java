package io.mykit.delay.test.fault.history;

/**
 * The content of one push. A push of a known id with {@code replace} asks for another version of its message.
 *
 * @param number from 0, in the order in which the pushes were begun
 * @param body names the version; a push that only moves the due time repeats the body before it
 * @param delayMs after the push, if {@code triggerAtMs} is 0
 * @param triggerAtMs the due time, epoch milliseconds; 0 = by delay
 * @param ttlSeconds 0 = for ever
 * @param sentMs before the first request was sent, epoch milliseconds
 * @param acknowledgedMs when a request was answered with success; negative = none was
 * @param inDoubt whether a request was not answered, or with OUTCOME_UNKNOWN: it may be carried out at any later time
 */
public record Version(
        int number,
        String body,
        long delayMs,
        long triggerAtMs,
        long ttlSeconds,
        long sentMs,
        long acknowledgedMs,
        boolean inDoubt) {
    /** The delay of messages that are to lie still. */
    public static final long SLEEP_MS = 3_600_000;

    /** The delay of those of them that no horizon of a run reaches. */
    public static final long LONG_SLEEP_MS = 3 * SLEEP_MS;

    public Version acknowledged(long nowMs) {
        return isAcknowledged()
                ? this
                : new Version(number, body, delayMs, triggerAtMs, ttlSeconds, sentMs, nowMs, inDoubt);
    }

    public Version doubted() {
        return new Version(number, body, delayMs, triggerAtMs, ttlSeconds, sentMs, acknowledgedMs, true);
    }

    public boolean isAcknowledged() {
        return acknowledgedMs >= 0;
    }

    /** A replacement that was refused may have taken the message out of Redis before, by a call whose answer was lost. */
    boolean wasCut() {
        return replaces() && (inDoubt || !isAcknowledged());
    }

    /** Whether it was pushed with {@code replace}. */
    public boolean replaces() {
        return number > 0;
    }

    /** Its creation time is not before it was sent. */
    public long earliestDueMs() {
        return triggerAtMs > 0 ? triggerAtMs : sentMs + delayMs;
    }

    /** Not due while a run lasts. */
    public boolean sleeps() {
        return earliestDueMs() - sentMs >= SLEEP_MS;
    }

    /** Whether it may be carried out after that time. */
    public boolean isOpenAt(long atMs) {
        return inDoubt || acknowledgedMs > atMs;
    }

    /** Whether an acknowledged version takes this one's place: only a replacement that may come later still could win. */
    boolean yieldsTo(Version other) {
        boolean surelyBefore = !replaces() || (isAcknowledged() && !isOpenAt(other.sentMs));
        return other.replaces() && other.number != number && other.isAcknowledged() && surelyBefore;
    }
}
