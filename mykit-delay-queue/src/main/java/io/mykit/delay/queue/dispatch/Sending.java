package io.mykit.delay.queue.dispatch;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.retry.RetryPolicy;
import io.mykit.delay.queue.schedule.Horizon;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to their channel, and records each outcome in the {@link BatchOutcomes}: delivered, given back, postponed,
 * dead or expired. One object for each term; thread-safe.
 */
final class Sending {
    private static final Logger LOG = LoggerFactory.getLogger(Sending.class);

    /** How long a deferred message waits if its channel does not say it. */
    private static final Duration DEFERRED = Duration.ofSeconds(1);

    private final InstantSource clock;
    private final Backoff backoff;
    private final RetryPolicies policies;
    private final Horizon horizon;
    private final DispatchMeters meters;
    private final ChannelCall call = new ChannelCall();
    private final Suspects suspects = new Suspects();

    /**
     * @param backoff how long a message waits after a failure that is not counted
     * @param policies how long it waits after one that is counted, and how many of them there may be
     * @param horizon a message whose next attempt is beyond it waits in the store
     */
    Sending(InstantSource clock, Backoff backoff, RetryPolicies policies, Horizon horizon, DispatchMeters meters) {
        this.clock = clock;
        this.backoff = backoff;
        this.policies = policies;
        this.horizon = horizon;
        this.meters = meters;
    }

    /** Sends the messages that have not expired, and returns whether the topic can be used. */
    Verdict send(DeliveryChannel channel, String topic, List<Leased> open, BatchOutcomes outcomes) {
        List<Leased> live = dropExpired(open, outcomes);
        return live.isEmpty() ? Verdict.USABLE : sendInParts(channel, topic, live, outcomes);
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

    /**
     * Sends suspects alone and after the other messages, so that a suspect that causes the failure does not harm the others.
     */
    private Verdict sendInParts(DeliveryChannel channel, String topic, List<Leased> live, BatchOutcomes outcomes) {
        Map<Boolean, List<Leased>> parts =
                live.stream().collect(partitioningBy(leased -> suspects.contains(topic, leased.id())));
        List<Leased> others = parts.get(false);
        Verdict verdict = others.isEmpty() ? Verdict.UNKNOWN : sendTogether(channel, topic, others, outcomes);
        for (Leased suspect : parts.get(true)) {
            if (verdict.isUnavailable()) {
                outcomes.giveBack(suspect, verdict.why());
            } else {
                verdict = verdict.and(sendTogether(channel, topic, List.of(suspect), outcomes));
            }
        }
        return verdict;
    }

    private Verdict sendTogether(DeliveryChannel channel, String topic, List<Leased> batch, BatchOutcomes outcomes) {
        return judge(batch, call.deliver(channel, topic, batch), outcomes);
    }

    /**
     * Records the fates of messages that were sent together.
     *
     * @param fates one for each message, in order
     */
    Verdict judge(List<Leased> batch, List<Delivery> fates, BatchOutcomes outcomes) {
        int lastDelivered = lastDelivered(fates);
        long nowMs = clock.millis();
        Verdict verdict = Verdict.UNKNOWN;
        for (int i = 0; i < batch.size(); i++) {
            Leased leased = batch.get(i);
            Delivery fate = fates.get(i);
            verdict = verdict.and(
                    switch (fate.kind()) {
                        case DELIVERED -> delivered(leased, fate, nowMs, outcomes);
                        case UNAVAILABLE -> unavailable(leased, fate, outcomes);
                        case UNCLEAR -> {
                            if (i < lastDelivered) {
                                yield failed(leased, fate, nowMs, outcomes);
                            }
                            boolean some = lastDelivered >= 0;
                            yield some || batch.size() == 1
                                    ? unclear(leased, some, fate, nowMs, outcomes)
                                    : unavailable(leased, fate, outcomes);
                        }
                        case FAILED -> failed(leased, fate, nowMs, outcomes);
                        case DEFERRED -> deferred(leased, fate, nowMs, outcomes);
                        case REFUSED -> refused(leased, fate.detail(), nowMs, outcomes);
                    });
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

    private Verdict delivered(Leased leased, Delivery fate, long nowMs, BatchOutcomes outcomes) {
        outcomes.finish(leased, nowMs, fate);
        suspects.passed(leased.message().topic(), leased.id());
        meters.delivered(nowMs - leased.message().firstDueMs(), outcomes.cameOverdue(leased));
        return Verdict.USABLE;
    }

    private static Verdict unavailable(Leased leased, Delivery fate, BatchOutcomes outcomes) {
        outcomes.giveBack(leased, fate.detail());
        return Verdict.unavailable(fate.detail(), fate.retryAfter());
    }

    /**
     * Handles a message that failed alone, or after the last one that passed. The message waits, so that the next probe of
     * the topic is another message. If that one passes and this one fails again, this one is the cause.
     */
    private Verdict unclear(Leased leased, boolean othersPassed, Delivery fate, long nowMs, BatchOutcomes outcomes) {
        Suspects.Failure failure = suspects.failed(leased.message().topic(), leased.id());
        if (failure.guilty()) {
            return failed(leased, fate, nowMs, outcomes);
        }
        RetryPlan plan = RetryPlan.uncounted(backoff.after(failure.times()), fate);
        again(leased, plan, nowMs, outcomes.attempts(leased), outcomes);
        return failure.isFirst() && !othersPassed ? Verdict.unavailable(fate.detail()) : Verdict.UNKNOWN;
    }

    /** Handles a message for which the receiver has no capacity now. */
    private Verdict deferred(Leased leased, Delivery fate, long nowMs, BatchOutcomes outcomes) {
        Duration wait = fate.retryAfter().isZero() ? DEFERRED : fate.retryAfter();
        again(leased, RetryPlan.uncounted(wait, fate), nowMs, outcomes.attempts(leased), outcomes);
        return Verdict.UNKNOWN;
    }

    private Verdict failed(Leased leased, Delivery fate, long nowMs, BatchOutcomes outcomes) {
        int attempts = outcomes.attempts(leased) + 1;
        RetryPolicy policy = policies.of(leased.message());
        if (policy.isUsedUp(attempts)) {
            return dead(leased, attempts, fate.detail(), nowMs, outcomes);
        }
        again(leased, RetryPlan.counted(policy, attempts, fate, nowMs), nowMs, attempts, outcomes);
        return Verdict.USABLE;
    }

    /** Lets the message wait for its next attempt. */
    private void again(Leased leased, RetryPlan plan, long nowMs, int attempts, BatchOutcomes outcomes) {
        long nextMs = nowMs + plan.pause().toMillis();
        boolean far = !horizon.includes(nextMs, nowMs);
        outcomes.retry(leased, nextMs, far, nowMs, attempts, plan.detail());
        meters.retried();
    }

    private Verdict refused(Leased leased, String detail, long nowMs, BatchOutcomes outcomes) {
        return dead(leased, DeadReason.REFUSED, outcomes.attempts(leased) + 1, detail, nowMs, outcomes);
    }

    private Verdict dead(Leased leased, int attempts, String detail, long nowMs, BatchOutcomes outcomes) {
        return dead(leased, DeadReason.ATTEMPTS, attempts, detail, nowMs, outcomes);
    }

    private Verdict dead(
            Leased leased, DeadReason reason, int attempts, String detail, long nowMs, BatchOutcomes outcomes) {
        LOG.warn(
                "Message {} of topic {} is a dead letter: {}. /dead/respawn puts it back",
                leased.id(),
                leased.message().topic(),
                detail);
        outcomes.die(leased, reason, nowMs, attempts, detail);
        suspects.forget(leased.message().topic(), leased.id());
        meters.dead(reason);
        return Verdict.USABLE;
    }
}
