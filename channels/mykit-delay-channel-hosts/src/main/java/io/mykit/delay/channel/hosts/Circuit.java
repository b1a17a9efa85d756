package io.mykit.delay.channel.hosts;

import java.time.Duration;
import java.util.Optional;

/**
 * Keeps requests from a receiver that fails all the time. After a number of failures in a row it is open for a pause;
 * then one request at a time is the probe. A probe without an answer doubles the pause, and so do some probes in a row that are
 * answered with an error: a single one may tell of its message and not of the receiver. Requests that were under way together
 * count at most a third of the failures that open it, because one stall may fail them all. The caller's lock guards it.
 */
final class Circuit {
    private static final Duration MAX_PAUSE = Duration.ofMinutes(10);
    /** A silent receiver opens it when so many turns of requests have failed. */
    private static final int TURNS = 3;

    /** While the probe is on its way, other requests wait for this share of the pause, within the two bounds. */
    private static final int SHARE_BESIDE_PROBE = 4;

    private static final Duration LEAST_BESIDE_PROBE = Duration.ofSeconds(1);
    private static final Duration MOST_BESIDE_PROBE = Duration.ofMinutes(1);
    /** So many probes in a row that are answered with an error show that the receiver is ill. */
    private static final int MAX_PROBES = 5;

    private final int maxFailures;
    private final Duration firstPause;
    private int failures;
    private Duration pause;
    /** The number of the last request that began. */
    private long begun;
    /** That number at the first failure of the requests that are under way together. */
    private long begunTogether;
    /** Their failures that counted. */
    private int failedTogether;
    /** The number of the request that is the probe, or 0. */
    private long probe;
    /** The probes since the last pause. */
    private int probes;
    /** Whether a probe has failed since the receiver was well. */
    private boolean failedProbe;
    /** Of {@link System#nanoTime}. */
    private long openUntilNanos;

    /**
     * @param maxFailures 0 = the circuit never opens
     */
    Circuit(int maxFailures, Duration firstPause) {
        this.maxFailures = maxFailures;
        this.firstPause = firstPause;
        this.pause = firstPause;
    }

    /** How long a request should wait. Empty if it may begin now. */
    Optional<Duration> delay(long nowNanos) {
        if (!isPaused(nowNanos)) {
            return Optional.empty();
        }
        long left = openUntilNanos - nowNanos;
        return Optional.of(left > 0 ? Duration.ofNanos(left) : besideProbe());
    }

    private Duration besideProbe() {
        Duration share = pause.dividedBy(SHARE_BESIDE_PROBE);
        Duration most = share.compareTo(MOST_BESIDE_PROBE) > 0 ? MOST_BESIDE_PROBE : share;
        return most.compareTo(LEAST_BESIDE_PROBE) < 0 ? LEAST_BESIDE_PROBE : most;
    }

    /** Whether the receiver has not failed a probe since it was well, and none is on its way. */
    boolean isFirstPause(long nowNanos) {
        return !failedProbe && openUntilNanos - nowNanos > 0;
    }

    /**
     * Begins a request; it is the probe if one is due. Each request ends with {@link #ended} or {@link #endedUnsent}.
     *
     * @return the number of the request
     */
    long begin(long nowNanos) {
        begun++;
        if (isOpen() && !isPaused(nowNanos)) {
            probe = begun;
        }
        return begun;
    }

    /** Ends a request. Any answer of a well receiver closes the circuit; the pause grows by probes only. */
    void ended(long request, Sign sign, long nowNanos) {
        if (sign == Sign.WELL) {
            failures = 0;
            failedProbe = false;
            probes = 0;
            pause = firstPause;
            // A probe that is still on its way is a request like the others now.
            probe = 0;
        } else {
            fail(request, sign, nowNanos);
            endedUnsent(request);
        }
    }

    /** Ends a request that the receiver did not get. If it was the probe, another request is. */
    void endedUnsent(long request) {
        if (request == probe) {
            probe = 0;
        }
    }

    /** Ends the pause: the next request is the probe, unless one is on its way. A closed circuit stays as it is. */
    void endPause(long nowNanos) {
        if (isOpen()) {
            openUntilNanos = nowNanos;
        }
    }

    /** Whether a request would wait now. */
    boolean isPaused(long nowNanos) {
        return isOpen() && (probe != 0 || openUntilNanos - nowNanos > 0);
    }

    /** Whether requests wait, or a probe is needed. */
    boolean isOpen() {
        return maxFailures > 0 && failures >= maxFailures;
    }

    /** Whether a new circuit would do nearly the same: this one is closed, or its last pause ended long ago. */
    boolean isForgettable(long nowNanos) {
        return !isOpen() || nowNanos - openUntilNanos > MAX_PAUSE.toNanos();
    }

    private void fail(long request, Sign sign, long nowNanos) {
        if (!isOpen()) {
            if (request > begunTogether) {
                begunTogether = begun;
                failedTogether = 0;
            }
            if (failedTogether < (maxFailures + 2) / TURNS) {
                failedTogether++;
                failures++;
            }
            if (isOpen()) {
                openUntilNanos = nowNanos + pause.toNanos();
            }
        } else if (request == probe && (++probes >= MAX_PROBES || sign == Sign.SILENT)) {
            failedProbe = true;
            probes = 0;
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
            openUntilNanos = nowNanos + pause.toNanos();
        }
        // Otherwise the request began before the circuit opened, or the next probe tells more.
    }
}
