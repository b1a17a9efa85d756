package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settled;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.dispatch.ChannelMeters;
import io.mykit.delay.queue.dispatch.DeadLetterLog;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the part of settlements that is in the index, and answers the consumers. Used by one thread. */
final class IndexSteps {
    private static final Logger LOG = LoggerFactory.getLogger(IndexSteps.class);

    private final MessageIndex index;
    private final HoldIndex holds;
    private final InstantSource clock;
    private final PullMeters meters;
    private final DispatchMeters outcomes;
    private final DeadLetterLog dead = new DeadLetterLog();

    IndexSteps(MessageIndex index, InstantSource clock, PullMeters meters, DispatchMeters outcomes) {
        this.index = index;
        this.holds = index.holds();
        this.clock = clock;
        this.meters = meters;
        this.outcomes = outcomes;
    }

    /** The rows have changed as planned. */
    void take(List<Plan> plans) {
        List<Held> forgotten = new ArrayList<>();
        List<Held> released = new ArrayList<>();
        Map<Held, DelayMessage> postponed = new HashMap<>();
        List<MessageRef> purged = new ArrayList<>();
        for (Plan plan : plans) {
            switch (plan.step()) {
                case NONE -> {}
                case FORGET -> forgotten.add(plan.call().held());
                case RELEASE -> released.add(plan.call().held());
                case POSTPONE -> postponed.put(plan.call().held(), plan.message());
                case PURGE -> purged.add(plan.ref());
            }
        }
        Map<String, String> topics = new HashMap<>();
        unlessAway(!forgotten.isEmpty(), () -> topics.putAll(holds.forget(forgotten)));
        unlessAway(!postponed.isEmpty(), () -> holds.postpone(postponed, true));
        unlessAway(!released.isEmpty(), () -> holds.release(released, true));
        unlessAway(!purged.isEmpty(), () -> index.purge(purged));
        plans.forEach(plan -> answer(plan, topics));
    }

    /**
     * The store is away: acks of held messages are kept in the index, and all other calls fail. So do acks with a result: the
     * memory of the index would have to hold the results of an outage of any length.
     */
    void park(List<SettleCall> calls, Map<String, HoldState> states, DelayException away) {
        Map<Held, ParkedOutcome> acks = new HashMap<>();
        long nowMs = clock.millis();
        for (SettleCall call : calls) {
            HoldState state = states.get(call.id());
            if (call.verb() == Verb.ACK
                    && state == HoldState.HELD
                    && call.asked().result() == null
                    && !call.future().isDone()) {
                Receipt receipt = call.receipt();
                acks.put(
                        call.held(),
                        new ParkedOutcome(
                                call.id(),
                                receipt.version(),
                                MessageStatus.FINISH,
                                nowMs,
                                nowMs,
                                receipt.attempts(),
                                "",
                                DeadReason.ATTEMPTS));
            } else if (state == HoldState.HELD_BY_ANOTHER && !call.receipt().isNone()) {
                call.answer(SettleResult.LEASE_LOST);
            }
        }
        Map<String, String> parked = acks.isEmpty() ? Map.of() : holds.park(acks);
        for (SettleCall call : calls) {
            String topic = parked.get(call.id());
            if (topic != null) {
                meters.settled(Verb.ACK);
                pulled().delivered(1);
                outcomes.delivered(topic, 1);
                call.answer(new Settled(call.id(), SettleResult.DONE, false, 0, null));
            } else {
                call.fail(away);
            }
        }
    }

    /** @param topics of messages that the index has just forgotten, by id */
    private void answer(Plan plan, Map<String, String> topics) {
        if (plan.result() == SettleResult.DONE) {
            meters.settled(plan.call().verb());
            if (plan.call().verb() == Verb.ACK) {
                pulled().delivered(1);
                topic(plan, topics).ifPresent(topic -> outcomes.delivered(topic, 1));
            } else if (plan.call().verb() == Verb.NACK) {
                pulled().failed();
                topic(plan, topics).ifPresent(outcomes.minutes()::failed);
            }
            DeadReason death = plan.death();
            if (death != null) {
                dead.died(
                        plan.message().topic(),
                        plan.call().id(),
                        plan.change().last().detail());
                pulled().dead(death);
                outcomes.dead(plan.message().topic());
            }
        }
        plan.call().answer(plan.result());
    }

    /** Empty if the message was not read, and the index did not tell its topic. */
    private static Optional<String> topic(Plan plan, Map<String, String> topics) {
        return Optional.ofNullable(plan.message())
                .map(DelayMessage::topic)
                .or(() -> Optional.ofNullable(topics.get(plan.call().id())));
    }

    /** Not before it is needed: most servers have no pulled topics. */
    private ChannelMeters pulled() {
        return outcomes.of(ChannelNames.PULL);
    }

    private static void unlessAway(boolean needed, Runnable step) {
        if (!needed) {
            return;
        }
        try {
            step.run();
        } catch (IndexUnavailableException e) {
            LOG.debug("The rows of settled messages have changed; Redis learns it when their holds end", e);
        }
    }
}
