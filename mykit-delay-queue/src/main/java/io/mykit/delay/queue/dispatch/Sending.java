package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.retry.RetryPolicy;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.queue.trace.Span;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Sends messages to their channel, and records each outcome in the {@link BatchOutcomes}: delivered, given back, postponed,
 * dead or expired. One object for each term; thread-safe.
 */
final class Sending {
    /** How long a message waits that is deferred or finds no place, if its channel does not say it. */
    private static final Duration DEFERRED = Duration.ofSeconds(1);
    /** A pause that may become a little longer. */
    private static final long LONG_PAUSE_MS = 10_000;

    private static final long TOGETHER_MS = 100;

    private final InstantSource clock;
    private final Backoff backoff;
    private final RetryPolicies policies;
    private final Horizon horizon;
    private final DispatchMeters meters;
    /** Of asynchronous sends, too. */
    final SendTraces traces;

    private final ChannelCall call = new ChannelCall();
    private final Suspects suspects = new Suspects();
    private final DeadLetterLog dead = new DeadLetterLog();

    /**
     * @param backoff how long a message waits after a failure that is not counted
     * @param policies how long it waits after one that is counted, and how many of them there may be
     * @param horizon a message whose next attempt is beyond it waits in the store
     */
    Sending(
            InstantSource clock,
            Backoff backoff,
            RetryPolicies policies,
            Horizon horizon,
            DispatchMeters meters,
            SendSpans spans) {
        this.clock = clock;
        this.backoff = backoff;
        this.policies = policies;
        this.horizon = horizon;
        this.meters = meters;
        this.traces = new SendTraces(spans, clock);
    }

    /** Ends the messages that have expired, and returns the others. */
    List<Leased> dropExpired(List<Leased> open, BatchOutcomes outcomes) {
        long nowMs = clock.millis();
        List<Leased> live = new ArrayList<>(open.size());
        for (Leased leased : open) {
            if (leased.message().isExpired(nowMs)) {
                outcomes.expire(leased, nowMs, "the ttl ended before delivery");
                suspects.forget(leased.message().topic(), leased.id());
                meters.expired();
            } else {
                live.add(leased);
            }
        }
        return live;
    }

    boolean isExpired(Leased leased) {
        return leased.message().isExpired(clock.millis());
    }

    /** Whether this message failed alone before, so that it may be the cause of the next failure. */
    boolean isSuspect(String topic, Leased leased) {
        return suspects.contains(topic, leased.id());
    }

    /** Sends messages together, and returns whether the topic can be used. */
    Verdict send(Outlet outlet, List<Leased> batch, BatchOutcomes outcomes) {
        Span span = traces.begin(outlet, batch, outcomes);
        long begunNanos = System.nanoTime();
        List<Delivery> fates = call.deliver(outlet.channel(), outlet.topic(), batch);
        outlet.measured().sent(batch.size(), System.nanoTime() - begunNanos);
        SendSpans.end(span, fates);
        return judge(outlet, batch, fates, outcomes);
    }

    /**
     * Records the fates of messages that were sent together.
     *
     * @param fates one for each message, in order
     */
    Verdict judge(Outlet outlet, List<Leased> batch, List<Delivery> fates, BatchOutcomes outcomes) {
        int lastDelivered = lastDelivered(fates);
        Round round = new Round(outlet.measured(), clock.millis(), outcomes);
        Verdict verdict = Verdict.UNKNOWN;
        int delivered = 0;
        for (int i = 0; i < batch.size(); i++) {
            Leased leased = batch.get(i);
            Delivery fate = fates.get(i);
            if (fate.kind() == Delivery.Kind.DELIVERED) {
                delivered++;
            }
            verdict = verdict.and(
                    switch (fate.kind()) {
                        case DELIVERED -> delivered(leased, fate, round);
                        case UNAVAILABLE -> unavailable(leased, fate, round);
                        case UNCLEAR -> {
                            if (i < lastDelivered) {
                                yield failed(leased, fate, round);
                            }
                            boolean some = lastDelivered >= 0;
                            yield some || batch.size() == 1
                                    ? unclear(leased, some, fate, round)
                                    : unavailable(leased, fate, round);
                        }
                        case FAILED -> failed(leased, fate, round);
                        case DEFERRED -> deferred(leased, fate, round);
                        case FULL -> full(leased, fate, round);
                        case REFUSED -> refused(leased, fate, round);
                    });
        }
        if (delivered > 0) {
            outlet.measured().delivered(delivered);
            meters.delivered(outlet.topic(), delivered);
        }
        return verdict;
    }

    /** The message as an asynchronous channel gets it. */
    Outgoing outgoing(Leased leased, BatchOutcomes outcomes, BooleanSupplier mayBeSent) {
        return new Outgoing(
                leased.message(),
                outcomes.attempts(leased) + 1,
                policies.of(leased.message()).maxAttempts(),
                mayBeSent);
    }

    private static int lastDelivered(List<Delivery> fates) {
        int last = fates.size() - 1;
        while (last >= 0 && fates.get(last).kind() != Delivery.Kind.DELIVERED) {
            last--;
        }
        return last;
    }

    private Verdict delivered(Leased leased, Delivery fate, Round round) {
        round.outcomes().finish(leased, round.nowMs(), fate);
        suspects.passed(leased.message().topic(), leased.id());
        long lateMs = round.nowMs() - leased.message().firstDueMs();
        boolean cameOverdue = round.outcomes().cameOverdue(leased);
        round.measured().late(lateMs, cameOverdue);
        if (!cameOverdue) {
            meters.late(leased.message().topic(), Math.max(0, lateMs));
        }
        return Verdict.USABLE;
    }

    private static Verdict unavailable(Leased leased, Delivery fate, Round round) {
        round.outcomes().giveBack(leased, fate.detail(), !fate.unsent());
        round.measured().tried(Attempt.UNAVAILABLE);
        return Verdict.unavailable(fate.detail(), fate.retryAfter());
    }

    /**
     * Handles a message that failed alone, or after the last one that passed. The message waits, so that the next probe of
     * the topic is another message. If that one passes and this one fails again, this one is the cause.
     */
    private Verdict unclear(Leased leased, boolean othersPassed, Delivery fate, Round round) {
        Suspects.Failure failure = suspects.failed(leased.message().topic(), leased.id());
        if (failure.guilty()) {
            return failed(leased, fate, round);
        }
        round.measured().tried(Attempt.UNAVAILABLE);
        RetryPlan plan = RetryPlan.uncounted(backoff.after(failure.times()), fate);
        again(leased, plan, round.outcomes().attempts(leased), true, round);
        return failure.isFirst() && !othersPassed ? Verdict.unavailable(fate.detail()) : Verdict.UNKNOWN;
    }

    /** Handles a message that cannot be sent now. */
    private Verdict deferred(Leased leased, Delivery fate, Round round) {
        round.measured().tried(Attempt.DEFERRED);
        again(leased, RetryPlan.uncounted(pause(fate), fate), round.outcomes().attempts(leased), false, round);
        return Verdict.UNKNOWN;
    }

    /** Handles a message for which its receiver has no place now. */
    private static Verdict full(Leased leased, Delivery fate, Round round) {
        round.measured().tried(Attempt.DEFERRED);
        round.outcomes().postpone(leased, placeAt(round.nowMs(), fate));
        return Verdict.UNKNOWN;
    }

    /** As {@link #full}, for a message that has not come to its channel: how it waits. */
    Leased turnedAway(Outlet outlet, Leased leased, Delivery full) {
        outlet.measured().tried(Attempt.DEFERRED);
        return leased.retriedAt(placeAt(clock.millis(), full));
    }

    /**
     * When a message looks for a place again. Long pauses end at whole tenths of a second: messages that look for a place again share a batch, and do not cost
     * a batch each. Those of a whole second together would be in the way of other topics.
     */
    private static long placeAt(long nowMs, Delivery full) {
        long pauseMs = pause(full).toMillis();
        long endMs = nowMs + pauseMs;
        return pauseMs < LONG_PAUSE_MS ? endMs : (endMs + TOGETHER_MS - 1) / TOGETHER_MS * TOGETHER_MS;
    }

    private static Duration pause(Delivery fate) {
        return fate.retryAfter().isZero() ? DEFERRED : fate.retryAfter();
    }

    private Verdict failed(Leased leased, Delivery fate, Round round) {
        round.measured().tried(Attempt.FAILED);
        meters.minutes().failed(leased.message().topic());
        int attempts = round.outcomes().attempts(leased) + 1;
        RetryPolicy policy = policies.of(leased.message());
        if (policy.isUsedUp(attempts)) {
            return dead(leased, DeadReason.ATTEMPTS, attempts, fate.detail(), round);
        }
        again(leased, RetryPlan.counted(policy, attempts, fate, round.nowMs()), attempts, true, round);
        return Verdict.USABLE;
    }

    /**
     * Lets the message wait for its next attempt.
     *
     * @param attempted whether the receiver may have got it
     */
    private void again(Leased leased, RetryPlan plan, int attempts, boolean attempted, Round round) {
        long nextMs = round.nowMs() + plan.pause().toMillis();
        boolean far = !horizon.includes(nextMs, round.nowMs());
        round.outcomes().retry(leased, nextMs, far, round.nowMs(), attempts, attempted, plan.detail());
    }

    private Verdict refused(Leased leased, Delivery fate, Round round) {
        round.measured().tried(Attempt.REFUSED);
        return dead(leased, DeadReason.REFUSED, round.outcomes().attempts(leased) + 1, fate.detail(), round);
    }

    private Verdict dead(Leased leased, DeadReason reason, int attempts, String detail, Round round) {
        dead.died(leased.message().topic(), leased.id(), detail);
        round.outcomes().die(leased, reason, round.nowMs(), attempts, detail);
        suspects.forget(leased.message().topic(), leased.id());
        round.measured().dead(reason);
        meters.dead(leased.message().topic());
        return Verdict.USABLE;
    }
}
