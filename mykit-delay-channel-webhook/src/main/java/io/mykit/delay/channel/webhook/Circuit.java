package io.mykit.delay.channel.webhook;

import java.time.Duration;
import java.util.Optional;

/**
 * Keeps requests from a receiver that fails all the time. After a number of failures in a row it is open for a pause;
 * then one request at a time is the probe. A probe without an answer doubles the pause, and so do some probes in a row that are
 * answered with an error: a single one may tell of its message and not of the receiver. The caller's lock guards it.
 */
final class Circuit {
    private static final Duration MAX_PAUSE = Duration.ofMinutes(10);
    /** How long other requests wait while the probe is on its way. */
    private static final Duration BESIDE_PROBE = Duration.ofSeconds(1);
    /** So many probes in a row that are answered with an error show that the receiver is ill. */
    private static final int MAX_PROBES = 5;

    private final int maxFailures;
    private final Duration firstPause;
    private int failures;
    private Duration pause;
    private boolean probing;
    /** The probes since the last pause. */
    private int probes;
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

    /**
     * Admits a request, or returns how long it should wait. Each admitted request ends with {@link #ended} or {@link
     * #endedUnsent}.
     */
    Optional<Duration> admit(long nowNanos) {
        if (!isOpen()) {
            return Optional.empty();
        }
        long left = openUntilNanos - nowNanos;
        if (left > 0) {
            return Optional.of(Duration.ofNanos(left));
        }
        if (probing) {
            return Optional.of(BESIDE_PROBE);
        }
        probing = true;
        return Optional.empty();
    }

    void ended(Sign sign, long nowNanos) {
        if (sign == Sign.WELL) {
            failures = 0;
            probes = 0;
            pause = firstPause;
        } else {
            fail(sign, nowNanos);
        }
        probing = false;
    }

    /** Ends an admitted request that the receiver did not get. Another request is the probe. */
    void endedUnsent() {
        probing = false;
    }

    /** Whether a request would wait now. */
    boolean isPaused(long nowNanos) {
        return isOpen() && (probing || openUntilNanos - nowNanos > 0);
    }

    /** Whether requests wait, or a probe is needed. */
    boolean isOpen() {
        return maxFailures > 0 && failures >= maxFailures;
    }

    /** Whether a new circuit would do nearly the same: this one is closed, or its last pause ended long ago. */
    boolean isForgettable(long nowNanos) {
        return !isOpen() || nowNanos - openUntilNanos > MAX_PAUSE.toNanos();
    }

    private void fail(Sign sign, long nowNanos) {
        if (!isOpen()) {
            failures++;
            if (isOpen()) {
                openUntilNanos = nowNanos + pause.toNanos();
            }
        } else if (probing && (++probes >= MAX_PROBES || sign == Sign.SILENT)) {
            probes = 0;
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
            openUntilNanos = nowNanos + pause.toNanos();
        }
        // Otherwise the request had begun before the circuit opened.
    }

    /** The health of a receiver, as one request showed it. */
    enum Sign {
        WELL,
        /** It answered with an error. */
        ILL,
        /** It did not answer. */
        SILENT
    }
}
