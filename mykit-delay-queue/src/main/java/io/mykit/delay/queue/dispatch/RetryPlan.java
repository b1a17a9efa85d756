package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.queue.retry.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The wait of a message before its next attempt. Immutable.
 *
 * @param detail the failure and the plan, for the flow log
 */
public record RetryPlan(Duration pause, String detail) {
    /** The longest gap. A receiver may ask for any time. */
    private static final Duration LONGEST = Duration.ofMillis(RetryLimits.MAX_GAP_MS);

    /** The flow log keeps so many characters. */
    private static final int MAX_DETAIL = 250;

    public RetryPlan {
        pause = pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
    }

    /** A failure that is not counted. */
    static RetryPlan uncounted(Duration pause, Delivery fate) {
        return new RetryPlan(pause, "not counted: " + fate.detail());
    }

    /** The later of the policy's gap and the wish of the receiver. */
    static RetryPlan counted(RetryPolicy policy, int attempts, Delivery fate, long nowMs) {
        Duration gap = gap(policy, attempts);
        return counted(
                policy, attempts, gap.compareTo(fate.retryAfter()) < 0 ? fate.retryAfter() : gap, fate.detail(), nowMs);
    }

    /** The gap of the policy after so many failed attempts. */
    public static Duration gap(RetryPolicy policy, int attempts) {
        return policy.gapAfter(attempts, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** A failure that is counted, with its gap. */
    public static RetryPlan counted(RetryPolicy policy, int attempts, Duration gap, String failure, long nowMs) {
        RetryPlan plan = new RetryPlan(gap, "");
        String of = policy.maxAttempts() == 0 ? "" : " of " + policy.maxAttempts();
        String next = "; next at " + Instant.ofEpochMilli(nowMs).plus(plan.pause) + ", attempt " + (attempts + 1) + of;
        return new RetryPlan(plan.pause, shortened(failure, MAX_DETAIL - next.length()) + next);
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most);
    }
}
