package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.MessageStore;
import java.time.InstantSource;
import java.util.function.Function;

/** Creates the dispatcher, the writer and the loops of one term. Keeps the objects that outlive a term. Thread-safe. */
public final class Dispatching {
    /** The messages of a topic that an asynchronous channel may have before the topic waits. */
    private static final int MAX_IN_FLIGHT = 5_000;
    /** The characters of their bodies. */
    private static final long MAX_BODIES_IN_FLIGHT = 4L * BodyBounds.TOGETHER;

    private final MessageIndex index;
    private final MessageStore store;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final Backoff backoff;
    private final int maxAttempts;
    private final InstantSource clock;
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime);
    private final Gate gate;
    private final DispatchMeters meters;

    /** @param routes returns the channel of a topic */
    public Dispatching(
            MessageIndex index,
            MessageStore store,
            InstantSource clock,
            Function<String, ChannelRoute> routes,
            DeliveryConfig config,
            DispatchMeters meters) {
        this.index = index;
        this.store = store;
        this.routes = routes;
        this.settings = new DispatchSettings(config.batchSize(), config.lease(), config.threads());
        this.backoff = new Backoff(config.retryMin(), config.retryMax());
        this.maxAttempts = config.maxAttempts();
        this.clock = clock;
        this.gate = new Gate(store, breaker);
        this.meters = meters;
    }

    /** Creates the writer of outcomes for this term. Close it after the dispatcher. */
    public OutcomeWriter outcomeWriter(OwnedBuckets buckets) {
        return new OutcomeWriter(new OutcomeCommit(store, new TermIndex(index, buckets), breaker, meters));
    }

    /** Creates the flights of a term, which its dispatcher and its loops share. */
    public Flights flights() {
        return new Flights(MAX_IN_FLIGHT, MAX_BODIES_IN_FLIGHT);
    }

    /** Creates the dispatcher for this term. */
    public Dispatcher dispatcher(LeaderTerm term, OwnedBuckets buckets, OutcomeWriter writer, Flights flights) {
        TermIndex own = new TermIndex(index, buckets);
        Sending sending = new Sending(clock, backoff, maxAttempts, meters);
        BatchDelivery delivery = new BatchDelivery(term, store, own, clock, gate, sending, writer, settings.lease());
        AsyncDelivery async = new AsyncDelivery(term, delivery, own, sending, flights);
        return new Dispatcher(term, own, delivery, async, routes, settings, backoff, meters);
    }

    /** Creates the loop that extends the leases of messages which an asynchronous channel is sending. */
    public Loop leaseExtender(OwnedBuckets buckets, Flights flights) {
        return new LeaseExtender(flights, new TermIndex(index, buckets), settings.lease());
    }

    /** Creates the loop that gives back messages whose lease has ended. */
    public Loop leaseReaper(OwnedBuckets buckets, Dispatcher dispatcher) {
        return new LeaseReaper(index, buckets, dispatcher, settings.lease());
    }

    /** Creates the loop that records outcomes which the store could not take when they occurred. */
    public Loop outcomeRecorder(OwnedBuckets buckets) {
        return new ParkedOutcomes(index, store, buckets);
    }
}
