package io.mykit.delay.test.fault.history;

import java.util.List;

/**
 * The plan of a message that is delivered as an HTTP request to a receiver of its own.
 *
 * @param steady whether no fault hits its receiver
 * @param status the answer to the first attempts
 * @param refused how many attempts get that answer; the receiver accepts the later ones
 * @param gapsMs the gap after each failed attempt but the last; without jitter
 * @param late whether its receiver is slow, and the message is one of very many: it may be late
 */
public record Callback(boolean steady, int status, int refused, List<Long> gapsMs, boolean late) {
    /** The status that makes a message a dead letter at once. */
    public static final int GONE = 410;

    /** The plan of a message that is not late. */
    public Callback(boolean steady, int status, int refused, List<Long> gapsMs) {
        this(steady, status, refused, gapsMs, false);
    }

    public int maxAttempts() {
        return gapsMs.size() + 1;
    }

    /** The gap after this failed attempt, by its number; the last gap repeats. */
    public long gapMs(int attempt) {
        return gapsMs.get(Math.min(Math.max(attempt, 1), gapsMs.size()) - 1);
    }

    public long longestGapMs() {
        return gapsMs.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** Whether its receiver accepts no attempt that the policy allows. */
    public boolean isNeverAccepted() {
        return status == GONE || refused >= maxAttempts();
    }
}
