package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.time.ElapsedTime;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.commit.Parallelism;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.trace.SendSpans;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Creates the dispatcher, the writer and the loops of one term. Keeps the objects that outlive a term. Thread-safe. */
public final class Dispatching {
    /** The messages of a topic that an asynchronous channel may have before the topic waits. */
    private static final int MAX_IN_FLIGHT = 5_000;
    /** The characters of their bodies: one slow topic leaves room for others. */
    private static final long MAX_BODIES_IN_FLIGHT = BodyBounds.IN_FLIGHT / 4;

    private final MessageIndex index;
    private final MessageStore store;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final Backoff backoff;
    private final RetryPolicies policies;
    private final LiveLimits limits;
    private final RestingTopics resting;
    private final Horizon horizon;
    private final InstantSource clock;
    private final LongSupplier elapsed;
    private final LeaseClock leases;
    private final StoreBreaker breaker =
            new StoreBreaker(System::nanoTime, "Deliveries go on, and their outcomes wait in Redis until it is back");
    private final Gate gate;
    private final DispatchMeters meters;
    private final DeadCopies copies;
    private final SendSpans spans;

    /**
     * @param elapsed the age of leases and looks at rows, {@link ElapsedTime}
     * @param routes returns the channel of a topic
     * @param pulled the topics that consumers pull: the dispatcher gets only messages whose holds have ended
     * @param paused the topics of which nothing is delivered now
     * @param differing the topics that another node delivers by another channel
     * @param policies when a message is tried again
     * @param horizon a message whose next attempt is beyond it waits in the store
     * @param spans the traces of deliveries
     */
    public Dispatching(
            MessageIndex index,
            MessageStore store,
            InstantSource clock,
            LongSupplier elapsed,
            Function<String, ChannelRoute> routes,
            DeliveryConfig config,
            Pulled pulled,
            PausedTopics paused,
            DifferingTopics differing,
            RetryPolicies policies,
            Horizon horizon,
            DispatchMeters meters,
            DeadCopies copies,
            SendSpans spans) {
        this.index = index;
        this.store = store;
        this.routes = routes;
        this.settings = new DispatchSettings(config.batchSize(), config.lease(), config.threads(), pulled);
        this.backoff = new Backoff(config.retryMin(), config.retryMax());
        this.policies = policies;
        this.limits = LiveLimits.of(policies.byTopic(), pulled);
        this.resting = new RestingTopics(paused, differing, pulled);
        this.horizon = horizon;
        this.clock = clock;
        this.elapsed = elapsed;
        this.leases = new LeaseClock(elapsed, config.lease());
        this.gate = new Gate(store, breaker);
        this.meters = meters;
        this.copies = copies;
        this.spans = spans;
    }

    /** The buckets of a term. */
    public OwnedBuckets buckets(LeaderTerm term) {
        return new OwnedBuckets(index, term, settings.pulled());
    }

    /** Creates the writer of outcomes for this term. Close it after the dispatcher. */
    public OutcomeWriter outcomeWriter(OwnedBuckets buckets) {
        return new OutcomeWriter(
                new OutcomeCommit(store, buckets, breaker, meters, copies), Parallelism.ofTransactions());
    }

    /** Creates the flights of a term, which its dispatcher and its loops share. */
    public Flights flights() {
        return new Flights(MAX_IN_FLIGHT, MAX_BODIES_IN_FLIGHT, new BodyBudget(BodyBounds.IN_FLIGHT));
    }

    /** The age of leases, nanoseconds: a scanner notes it before it takes messages. */
    public long elapsedNanos() {
        return leases.nanos();
    }

    /** Creates the loop that knows whether this process was frozen. */
    public Pulse pulse(LeaderTerm term) {
        return new Pulse(term, elapsed);
    }

    /** Creates the dispatcher for this term. */
    public Dispatcher dispatcher(
            LeaderTerm term, OwnedBuckets buckets, OutcomeWriter writer, Flights flights, Pulse pulse) {
        Sending sending = new Sending(clock, backoff, policies, horizon, meters, spans);
        BatchDelivery delivery = new BatchDelivery(term, store, index, buckets, clock, gate, sending, writer, leases);
        Later later = new Later();
        AsyncDelivery async =
                new AsyncDelivery(term, delivery, buckets, sending, flights, resting, pulse, leases, later);
        return new Dispatcher(
                term, buckets, delivery, async, routes, limits, resting, settings, leases, backoff, later, meters);
    }

    /** Creates the loop that extends the leases of messages which an asynchronous channel is sending. */
    public Loop leaseExtender(OwnedBuckets buckets, Flights flights) {
        return new LeaseExtender(flights, buckets, leases, settings.lease());
    }

    /** Creates the loop that gives back messages whose lease has ended. */
    public Loop leaseReaper(OwnedBuckets buckets, Dispatcher dispatcher, Flights flights) {
        return new LeaseReaper(index, buckets, dispatcher, flights, settings.lease());
    }

    /** Creates the loop that records outcomes which the store could not take when they occurred. */
    public Loop outcomeRecorder(OwnedBuckets buckets) {
        return new ParkedOutcomes(index, store, buckets, breaker, copies);
    }
}
