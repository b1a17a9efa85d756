package io.mykit.delay.queue.pull;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.dispatch.RetryPlan;
import io.mykit.delay.queue.pull.Plan.Step;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.retry.RetryPolicy;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.time.InstantSource;

/** Decides what a settlement changes, from the hold and the row of its message. Immutable. */
final class SettlePlans {
    private static final String THREAD = "pull";

    private final Pulled pulled;
    private final RetryPolicies policies;
    private final Horizon horizon;
    private final InstantSource clock;
    private final InstantSource steady;

    /**
     * @param horizon a message whose next attempt is beyond it waits in the store
     * @param clock an upper bound of the time: what is not due by it was never due
     * @param steady the time from which gaps count
     */
    SettlePlans(Pulled pulled, RetryPolicies policies, Horizon horizon, InstantSource clock, InstantSource steady) {
        this.pulled = pulled;
        this.policies = policies;
        this.horizon = horizon;
        this.clock = clock;
        this.steady = steady;
    }

    /** Whether the plan needs the whole message, and not only the light part of its row. */
    static boolean needsMessage(Verb verb, HoldState hold) {
        return verb != Verb.ACK || hold == HoldState.FREE;
    }

    /**
     * Makes the plan of one settlement.
     *
     * @param row null = the store does not know the message
     * @param message null if {@link #needsMessage} says so
     */
    Plan of(SettleCall call, HoldState hold, RowState row, DelayMessage message) {
        if (row == null) {
            return withoutRow(call, hold);
        }
        // A consumer may still settle what it holds after an operator gave the topic another channel.
        if (message != null && hold != HoldState.HELD && !pulled.contains(message.topic())) {
            return Plan.of(call, SettleResult.NOT_PULLABLE, Step.NONE);
        }
        boolean sameVersion = call.receipt().isNone() || call.receipt().version() == row.version();
        if (!sameVersion) {
            return Plan.of(call, SettleResult.LEASE_LOST, Step.NONE);
        }
        if (call.verb() == Verb.ACK) {
            return ack(call, hold, row);
        }
        if (hold != HoldState.HELD) {
            return Plan.of(call, SettleResult.LEASE_LOST, Step.NONE);
        }
        if (!row.status().isUnfinished()) {
            return Plan.of(call, SettleResult.ALREADY_FINISHED, Step.FORGET);
        }
        return call.verb() == Verb.BURY
                ? dead(call, row, message, DeadReason.BURIED, reason(call, "buried by its consumer"))
                : again(call, row, message);
    }

    /** The store lost the row, by a failover or a restored backup. Only the index knows the message. */
    private static Plan withoutRow(SettleCall call, HoldState hold) {
        if (hold == HoldState.HELD) {
            boolean goesBack = call.verb() == Verb.NACK || call.verb() == Verb.RELEASE;
            return Plan.of(call, SettleResult.DONE, goesBack ? Step.RELEASE : Step.FORGET);
        }
        boolean unknown = hold == HoldState.FREE;
        return Plan.of(call, unknown ? SettleResult.NOT_FOUND : SettleResult.LEASE_LOST, Step.NONE);
    }

    private Plan ack(SettleCall call, HoldState hold, RowState row) {
        Step forget = hold == HoldState.HELD ? Step.FORGET : Step.NONE;
        if (row.status() == MessageStatus.FINISH) {
            // The answer to an earlier ack was lost.
            return Plan.of(call, SettleResult.DONE, forget);
        }
        if (!row.status().isUnfinished()) {
            return Plan.of(call, SettleResult.ALREADY_FINISHED, forget);
        }
        return switch (hold) {
            case HELD -> finish(call, row, Step.FORGET);
            // Without a receipt, the hold of the other consumer ends by itself, and the gate drops the message.
            case HELD_BY_ANOTHER ->
                call.receipt().isNone()
                        ? finish(call, row, Step.NONE)
                        : Plan.of(call, SettleResult.LEASE_LOST, Step.NONE);
            // The hold has ended, but the work was done.
            case FREE ->
                wasDue(row) ? finish(call, row, Step.PURGE) : Plan.of(call, SettleResult.LEASE_LOST, Step.NONE);
        };
    }

    /** No consumer had a message that was never due. */
    private boolean wasDue(RowState row) {
        return row.attempts() > 0 || isDue(row);
    }

    private boolean isDue(RowState row) {
        return row.dueTimeMs() <= clock.millis();
    }

    private Plan finish(SettleCall call, RowState row, Step step) {
        Transition.Step done = new Transition.Step(MessageStatus.FINISH, steady.millis());
        Transition change =
                change(row, done, row.attempts()).withResult(call.asked().result());
        return new Plan(call, SettleResult.DONE, change, step, null, row.ref());
    }

    private Plan dead(SettleCall call, RowState row, DelayMessage message, DeadReason reason, String detail) {
        Transition.Step died = new Transition.Step(MessageStatus.FAILED, steady.millis(), detail, reason);
        return new Plan(call, SettleResult.DONE, change(row, died, row.attempts() + 1), Step.FORGET, message, null);
    }

    /** A nack, or a release with a delay. */
    private Plan again(SettleCall call, RowState row, DelayMessage message) {
        boolean isCounted = row.attempts() > call.receipt().attempts();
        // A nack that was recorded is counted. Otherwise the clock went back since the message was handed out.
        boolean mayBeRecorded = call.verb() == Verb.RELEASE || isCounted;
        if (mayBeRecorded && !isDue(row)) {
            // The row of a held message is due. So this call was recorded before, and its answer was lost.
            boolean leaves = row.status() == MessageStatus.WAIT_PUT;
            return new Plan(call, SettleResult.DONE, null, leaves ? Step.FORGET : Step.POSTPONE, message, null);
        }
        if (call.verb() == Verb.RELEASE) {
            return later(
                    call, row, message, call.asked().delay(), row.attempts(), "released by its consumer; not counted");
        }
        // If a nack was in doubt and its gap is over, this one repeats it. It counts once, and waits anew.
        int attempts = isCounted ? row.attempts() : row.attempts() + 1;
        RetryPolicy policy = policies.of(message);
        String reason = reason(call, "refused by its consumer");
        if (policy.isUsedUp(attempts)) {
            return dead(call, row, message, DeadReason.ATTEMPTS, reason);
        }
        Duration asked = call.asked().delay();
        Duration gap = asked == null ? RetryPlan.gap(policy, attempts) : asked;
        RetryPlan plan = RetryPlan.counted(policy, attempts, gap, reason, steady.millis());
        return later(call, row, message, plan.pause(), attempts, plan.detail());
    }

    private Plan later(
            SettleCall call, RowState row, DelayMessage message, Duration pause, int attempts, String detail) {
        long nowMs = steady.millis();
        long nextMs = nowMs + pause.toMillis();
        boolean leaves = !horizon.includes(nextMs, nowMs);
        MessageStatus waits = leaves ? MessageStatus.WAIT_PUT : MessageStatus.DELAY;
        Transition change =
                change(row, new Transition.Step(waits, nowMs, detail), attempts).retriedAt(nextMs);
        Step step = leaves ? Step.FORGET : Step.POSTPONE;
        return new Plan(call, SettleResult.DONE, change, step, message.retriedAt(nextMs), null);
    }

    /** The message was READY since it fell due, or since its row changed after that. */
    private Transition change(RowState row, Transition.Step last, int attempts) {
        long readyMs = Math.min(steady.millis(), Math.max(row.dueTimeMs(), row.updateTimeMs()));
        return Transition.ofAttempt(row, readyMs, last, THREAD, attempts);
    }

    private static String reason(SettleCall call, String otherwise) {
        String detail = call.asked().detail();
        return detail == null || detail.isBlank() ? otherwise : detail;
    }
}
