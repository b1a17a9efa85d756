package io.mykit.delay.test.fault.history;

import java.time.Duration;
import java.util.List;

/**
 * How long a fault lasted.
 *
 * @param fromMs just before it was injected, epoch milliseconds
 * @param healedMs when all it broke was put right
 * @param leaderMs how long after that exactly one node led; negative if none did while it was waited for
 * @param takeoverMs for faults that take the leader away: from the injection to another leader; negative otherwise
 */
public record Window(String fault, long fromMs, long healedMs, long leaderMs, long takeoverMs) {
    private static final String START = "start";
    /** The end of the name is that of an injected failover. */
    private static final String UNASKED_FAILOVER = "unasked-failover-redis";

    /** After a fault leases run out, backoffs end and what was lost is put back. */
    public static final Duration AFTERMATH = Duration.ofSeconds(15);

    /** Attempts of one message follow each other no faster. */
    private static final long ATTEMPT_MS = 500;
    /** The longest time from the arrival of an attempt at a receiver to its record, when all is well. */
    private static final long RECORD_MS = 4_000;
    /** The leader asks a database that was away every two seconds, and may have to wait for the answer. */
    private static final long STORE_MS = 5_000;

    /** The first moments of a run count as a fault: servers and connections are cold. */
    public static Window start(long fromMs, Duration time) {
        return new Window(START, fromMs, fromMs + time.toMillis(), 0, -1);
    }

    /** The sentinels promoted a replica, and no fault was injected. */
    public static Window unaskedFailover(long fromMs, long promotedMs) {
        return new Window(UNASKED_FAILOVER, fromMs, promotedMs, 0, -1);
    }

    /** Whether it was injected, and is neither the start of the run nor a fault of the machine. */
    public boolean isInjected() {
        return !fault.equals(START) && !fault.equals(UNASKED_FAILOVER);
    }

    /** Whether something at that time may be laid to this fault. */
    public boolean covers(long atMs) {
        return atMs >= fromMs && atMs <= healedMs + AFTERMATH.toMillis();
    }

    public boolean touches(long beginMs, long endMs) {
        return endMs >= fromMs && beginMs <= healedMs + AFTERMATH.toMillis();
    }

    /** How many attempts of one message it may cut. */
    public long attempts() {
        return 1 + (healedMs - fromMs) / ATTEMPT_MS;
    }

    /** Whether it may have kept the outcome of an attempt of that time from its record. */
    public boolean cuts(long attemptMs) {
        boolean harmless = isOnlyOf("broker") || isOnlyOf("receiver");
        boolean hitsStore = kinds().stream().anyMatch(kind -> kind.endsWith("mysql"));
        long untilMs = ledMs() + RECORD_MS + (hitsStore ? STORE_MS : 0);
        return !harmless && attemptMs <= untilMs && attemptMs + RECORD_MS >= fromMs;
    }

    /** Whether all its faults hit this part, by the ends of their names. */
    public boolean isOnlyOf(String part) {
        return kinds().stream().allMatch(kind -> kind.endsWith("-" + part));
    }

    /** The names of the faults that were injected together. */
    public List<String> kinds() {
        return List.of(fault.split("\\+", -1));
    }

    /** When all was whole and a node led. */
    public long ledMs() {
        return healedMs + Math.max(0, leaderMs);
    }
}
