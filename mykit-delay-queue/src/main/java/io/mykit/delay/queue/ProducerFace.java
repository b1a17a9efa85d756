package io.mykit.delay.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.intake.MessageIntake;
import io.mykit.delay.queue.intake.PushMeters;
import io.mykit.delay.queue.intake.Rescheduler;
import io.mykit.delay.queue.lookup.MessageLookup;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.outcome.OutcomeWatch;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Gives each call of a producer to its part of the engine. Thread-safe. */
final class ProducerFace implements Producers {
    private final PushRules rules;
    private final MessageIntake intake;
    private final PushMeters pushed;
    private final MessageCanceller canceller;
    private final Counter cancelled;
    private final Rescheduler rescheduler;
    private final MessageLookup lookup;
    private final Channels channels;
    private final OutcomeWatch outcomes;

    ProducerFace(
            MessageStore store,
            MessageIndex index,
            ClusterClock clock,
            Horizon horizon,
            Scheduling scheduling,
            RetryPolicies policies,
            Channels channels,
            MessageIntake intake,
            OutcomeWatch outcomes,
            DispatchMeters deliveries,
            Namespaces namespaces,
            MeterRegistry meters) {
        this.rules = new PushRules(
                new MessageIds(clock)::next,
                clock,
                clock.earliest(),
                message -> channels.objection(message, namespaces),
                namespaces);
        this.intake = intake;
        this.pushed = new PushMeters(meters, deliveries.minutes()::accepted);
        this.canceller = new MessageCanceller(store, index, horizon, clock);
        this.cancelled = Family.MESSAGES_CANCELLED.counter(meters);
        this.rescheduler = new Rescheduler(store, index, scheduling, clock);
        this.lookup = new MessageLookup(store, index, policies);
        this.channels = channels;
        this.outcomes = outcomes;
    }

    @Override
    public PushRules rules() {
        return rules;
    }

    @Override
    public CompletableFuture<PushResult> push(CheckedPush push, Via via) {
        return intake.push(push.message(), push.replace())
                .whenComplete(
                        (result, failure) -> pushed.answered(via, push.message().topic(), result, failure));
    }

    @Override
    public void refused(ErrorCode why) {
        pushed.refused(why);
    }

    /** Counts the cancels whose messages are cancelled; a repeated cancel counts again. */
    @Override
    public CancelResult cancel(String id, String caller) {
        CancelResult result = canceller.by(caller).cancel(id);
        if (result.isCancelled()) {
            cancelled.increment();
        }
        return result;
    }

    @Override
    public Optional<Long> reschedule(String id, long dueTimeMs) {
        return rescheduler.reschedule(id, dueTimeMs);
    }

    @Override
    public Optional<MessageView> find(String id) {
        return lookup.find(id);
    }

    @Override
    public String channel(String topic) {
        return channels.channelOf(topic);
    }

    @Override
    public MessageRoute route(DelayMessage message) {
        return channels.route(message);
    }

    @Override
    public void requirePlace() {
        outcomes.requirePlace();
    }

    @Override
    public CompletableFuture<Void> ended(String id, Duration longest) {
        return outcomes.ended(id, longest);
    }

    @Override
    public void stopWaits() {
        outcomes.stop();
    }
}
