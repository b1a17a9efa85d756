package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the messages of the ready lists for one term: a thread of the topic's channel takes a batch, checks its rows and
 * delivers it. Thread-safe.
 *
 * <p>One topic never delays another. A topic that fails backs off alone. Each channel has a pool of its own ({@link
 * ChannelPools}), so a broker that lets every send run into its timeout uses up only its own threads.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    /** Stands for the channel of topics whose channel cannot be opened. */
    private static final String UNOPENED = "";

    private final LeaderTerm term;
    private final OwnedBuckets buckets;
    private final BatchDelivery delivery;
    private final AsyncDelivery async;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final DispatchMeters meters;
    private final ChannelPools pools;
    private final RestingTopics resting;
    private final Later later;
    private final Topics topics;
    private final Taking taking;
    private final Verdicts verdicts;

    Dispatcher(
            LeaderTerm term,
            OwnedBuckets buckets,
            BatchDelivery delivery,
            AsyncDelivery async,
            Function<String, ChannelRoute> routes,
            LiveLimits limits,
            RestingTopics resting,
            DispatchSettings settings,
            LeaseClock leases,
            Backoff backoff,
            Later later,
            DispatchMeters meters) {
        this.term = term;
        this.buckets = buckets;
        this.delivery = delivery;
        this.async = async;
        this.routes = routes;
        this.resting = resting;
        this.settings = settings;
        this.later = later;
        this.meters = meters;
        this.pools = new ChannelPools(settings.threadsPerChannel());
        NewTraffic traffic = NewTraffic.of(settings, limits, routes, async.flights());
        this.topics = new Topics(term, resting, traffic, this::start, later);
        this.taking = new Taking(buckets, topics, settings, leases, async.flights());
        meters.topics(topics);
        this.verdicts = new Verdicts(term, topics, taking, backoff, later, meters.backingOff());
    }

    /**
     * Tells the dispatcher that the ready list of this topic in this bucket may have new messages. Returns at once. The ready
     * lists of pulled topics are for their consumers.
     */
    public void offer(int bucket, String topic) {
        if (!settings.pulled().contains(topic)) {
            topics.change(topic, traffic -> traffic.offer(bucket));
        }
    }

    /** Returns the limits for the messages that the next scan may take at once, for {@link #accept}. */
    public Handover handover() {
        return new Handover(
                topics,
                settings.batchSize(),
                settings.lease(),
                settings.pulled().now());
    }

    /**
     * Accepts messages that a scan has taken. The messages of one topic share a batch, whatever their buckets are. Returns at once,
     * unless messages must be given back.
     *
     * @param messages by bucket
     * @param pulled the topics that were pulled for the scan
     */
    public void accept(Map<Integer, List<DelayMessage>> messages, PulledTopics pulled, long sinceNanos) {
        long untilNanos = sinceNanos + settings.lease().toNanos();
        Map<String, List<Leased>> left;
        try {
            left = Leased.byTopic(messages, pulled, untilNanos);
        } catch (RuntimeException | Error e) {
            taking.abandon(messages);
            throw e;
        }
        try {
            for (var parts = left.entrySet().iterator(); parts.hasNext(); parts.remove()) {
                Map.Entry<String, List<Leased>> part = parts.next();
                part.setValue(topics.hand(part.getKey(), part.getValue()));
                taking.giveBack(part.getKey(), part.getValue());
            }
        } finally {
            // After a failure: the next claim gives back what no batch got.
            left.values().forEach(taking::abandon);
        }
    }

    /** A topic was paused or resumed. What waits here for a batch of a topic that rests goes back into its ready lists. */
    public void pauseChanged(String topic) {
        taking.giveBackOrAbandon(topic, topics.pauseChanged(topic));
    }

    /**
     * An operator gave the topic another channel. What is being sent ends in the channel that has it; the next batch takes the new one, and
     * begins at once. A topic that was pulled until now has messages in ready lists that no scan told of.
     */
    public void channelChanged(String topic) {
        topics.change(topic, traffic -> {
            traffic.resume();
            if (!settings.pulled().contains(topic)) {
                buckets.forEach(bucket -> traffic.offer(bucket.bucket()));
            }
        });
    }

    /** An operator wants the topic to be tried now: it does not wait for the end of its pause after failures. */
    public void retry(String topic) {
        try {
            routes.apply(topic).channel().tryNow(topic);
        } catch (RuntimeException e) {
            LOG.debug("The channel of topic {} cannot be asked; its next batch tells why", topic, e);
        }
        topics.change(topic, TopicTraffic::resume);
    }

    /** Other topics than before are delivered by other channels elsewhere. */
    public void differencesChanged() {
        topics.active().forEach(this::pauseChanged);
    }

    /**
     * Gives back what no channel has begun to send. The term is already over, so no new batch begins and no further send; sends under way
     * go on. The next claim of a bucket puts what was given back into its ready list. May be called again, for batches that were on their
     * way to a channel.
     */
    public void stop() {
        later.close();
        taking.abandon(topics.recallAll());
        async.giveBackUnsent();
        meters.backingOff().clear();
    }

    /** Waits at most this time for the threads of batches that are being recorded. Call it after {@link #stop}. */
    public void close(Duration timeout) {
        pools.close(timeout);
    }

    private void start(String topic, Claim batch) {
        String channel = UNOPENED;
        try {
            ChannelRoute route = routes.apply(topic);
            channel = route.name();
            Executor pool = pools.of(route.name());
            pool.execute(() -> {
                Verdict verdict = work(topic, batch, route, pool);
                if (verdict != null) {
                    end(topic, route.name(), batch, verdict);
                }
            });
        } catch (RejectedExecutionException closed) {
            taking.abandon(batch.collect());
        } catch (RuntimeException | Error e) {
            // The channel cannot be opened. This topic backs off; the scanner that offers it must not fail.
            end(topic, channel, batch, Verdict.unavailable(e.toString()));
        }
    }

    /**
     * Takes a batch, checks its rows and delivers it. Throws nothing.
     *
     * @return null = an asynchronous channel has the batch, which ends later
     */
    private Verdict work(String topic, Claim batch, ChannelRoute route, Executor pool) {
        List<Leased> taken = new ArrayList<>();
        try (TakenBodies bodies = async.flights().taking(route)) {
            taken.addAll(taking.collect(topic, batch));
            if (!term.isActive()) {
                taking.abandon(taken);
                return Verdict.UNKNOWN;
            }
            if (resting.contains(topic)) {
                // The topic began to rest while the batch waited for its thread.
                topics.change(topic, traffic -> batch.buckets().forEach(traffic::offer));
                taking.giveBack(topic, taken);
                return Verdict.UNKNOWN;
            }
            boolean pulled = isPulled(route);
            if (pulled) {
                giveToConsumers(topic, taken);
            }
            taking.take(topic, batch, pulled, taken, bodies);
            if (pulled && !isPulled(routes.apply(topic))) {
                // An operator gave the topic another channel. Its ready lists were offered while this batch had them.
                topics.change(topic, traffic -> batch.buckets().forEach(traffic::offer));
            }
            if (taken.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            DeliveryChannel channel = topics.counted(route.channel(), topic, batch);
            Outlet outlet = new Outlet(channel, meters.of(route.name()), topic);
            int full = async.turnAway(outlet, taken);
            if (full > 0) {
                topics.change(topic, traffic -> traffic.full(full));
            }
            if (taken.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            BatchDelivery.Batch admitted = delivery.admit(Leased.sorted(taken));
            topics.change(
                    topic, traffic -> traffic.complete(batch, admitted.open().size()));
            if (channel instanceof AsyncDeliveryChannel asynchronous) {
                // Its flight counts them from here on.
                bodies.fly();
                async.begin(
                        asynchronous, outlet, admitted, batch.isProbe(), pool, listener(topic, route.name(), batch));
                return null;
            }
            return delivery.deliver(outlet, admitted);
        } catch (RuntimeException | Error e) {
            // An Error comes from a plug-in, or the memory is used up. The topic tries again later, as after any other
            // failure.
            taking.abandon(taken);
            return Verdict.unavailable(e.toString());
        }
    }

    private static boolean isPulled(ChannelRoute route) {
        return route.name().equals(ChannelNames.PULL);
    }

    /** A scan took these messages to send them, and then an operator had the topic pulled: no consumer has missed them. */
    private void giveToConsumers(String topic, List<Leased> taken) {
        taking.giveBack(topic, taken.stream().filter(leased -> !leased.lapsed()).toList());
        taken.removeIf(leased -> !leased.lapsed());
    }

    private void end(String topic, String channel, Claim batch, Verdict verdict) {
        verdicts.learn(topic, channel, verdict, traffic -> traffic.ended(batch, verdict));
    }

    private FlightListener listener(String topic, String channel, Claim batch) {
        long begunNanos = System.nanoTime();
        FlightListener listener =
                new FlightListener(verdict -> end(topic, channel, batch, verdict), (fate, outcomes) -> {
                    // A channel gives back what it had not sent when the topic was paused: that is no outage.
                    Verdict verdict = fate.isUnavailable() && resting.contains(topic) ? Verdict.UNKNOWN : fate;
                    verdicts.learn(topic, channel, verdict, traffic -> {
                        outcomes.released().forEach(traffic::offer);
                        traffic.full(outcomes.full());
                        return traffic.late(begunNanos, verdict);
                    });
                });
        return batch.isProbe() ? listener.ofProbe(later) : listener;
    }
}
