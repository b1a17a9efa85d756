package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.dispatch.TopicTraffic.Claim;
import io.mykit.delay.queue.dispatch.TopicTraffic.Setback;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Delivers the messages of the ready lists for one term: a thread of the topic's channel takes a batch, checks its rows and
 * delivers it. Thread-safe.
 *
 * <p>One topic never delays another. A topic that fails backs off alone. Each channel has a pool of its own ({@link
 * ChannelPools}), so a broker that lets every send run into its timeout uses up only its own threads.
 */
public final class Dispatcher implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final LeaderTerm term;
    private final OwnedBuckets buckets;
    private final BatchDelivery delivery;
    private final AsyncDelivery async;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final DispatchMeters meters;
    private final Backoff backoff;
    private final ChannelPools pools;
    private final ConcurrentMap<String, TopicTraffic> topics = new ConcurrentHashMap<>();
    private final TopicOutages outages = new TopicOutages();

    Dispatcher(
            LeaderTerm term,
            OwnedBuckets buckets,
            BatchDelivery delivery,
            AsyncDelivery async,
            Function<String, ChannelRoute> routes,
            DispatchSettings settings,
            Backoff backoff,
            DispatchMeters meters) {
        this.term = term;
        this.buckets = buckets;
        this.delivery = delivery;
        this.async = async;
        this.routes = routes;
        this.settings = settings;
        this.backoff = backoff;
        this.meters = meters;
        this.pools = new ChannelPools(settings.threadsPerChannel());
    }

    /**
     * Tells the dispatcher that the ready list of this topic in this bucket may have new messages. Returns at once. The ready
     * lists of pulled topics are for their consumers.
     */
    public void offer(int bucket, String topic) {
        if (!settings.pulled().contains(topic)) {
            change(topic, traffic -> traffic.offer(bucket));
        }
    }

    /** Returns the limits for the messages that the next scan may take at once, for {@link #accept}. */
    public Handover handover() {
        List<String> busy = new ArrayList<>();
        topics.forEach((topic, traffic) -> {
            if (!traffic.takesMore()) {
                busy.add(topic);
            }
        });
        return new Handover(busy, settings.batchSize(), settings.lease(), settings.pulled());
    }

    /**
     * Accepts messages of one bucket that the scanner has taken. Returns at once, unless messages have to be given back.
     */
    public void accept(int bucket, List<DelayMessage> messages, long sinceNanos) {
        long untilNanos = sinceNanos + settings.lease().toNanos();
        Leased.byTopic(bucket, messages, untilNanos).forEach((topic, taken) -> {
            List<Leased> refused = new ArrayList<>();
            change(topic, traffic -> refused.addAll(traffic.hand(taken) ? List.of() : taken));
            giveBack(topic, refused);
        });
    }

    /**
     * Waits until the batches in flight have ended, for at most ten seconds. The term is already over, so no new batch
     * begins.
     */
    @Override
    public void close() {
        long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
        async.close(CLOSE_TIMEOUT);
        pools.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /**
     * Changes the traffic of a topic, and starts the batches that may begin after the change. Batches begin at no other
     * place.
     */
    private void change(String topic, Consumer<TopicTraffic> change) {
        List<Claim> begun = new ArrayList<>();
        topics.compute(topic, (name, existing) -> {
            TopicTraffic traffic = existing == null ? newTraffic() : existing;
            change.accept(traffic);
            for (Claim next; term.isActive() && (next = traffic.next()) != null; ) {
                begun.add(next);
            }
            return traffic.isIdle() ? null : traffic;
        });
        begun.forEach(batch -> start(topic, batch));
    }

    private TopicTraffic newTraffic() {
        return new TopicTraffic(
                settings.batchesPerTopic(), settings.batchSize(), System::nanoTime, LockSupport::parkNanos);
    }

    private void start(String topic, Claim batch) {
        try {
            ChannelRoute route = routes.apply(topic);
            Executor pool = pools.of(route.name());
            pool.execute(() -> {
                Verdict verdict = work(topic, batch, route, pool);
                if (verdict != null) {
                    end(topic, batch, verdict);
                }
            });
        } catch (RejectedExecutionException closed) {
            // The term is over. The next leader finds the messages.
        } catch (RuntimeException | Error e) {
            // The channel cannot be opened. This topic backs off; the scanner that offers it must not fail.
            end(topic, batch, Verdict.unavailable(e.toString()));
        }
    }

    /**
     * Takes a batch, checks its rows and delivers it. Throws nothing.
     *
     * @return null = an asynchronous channel has the batch, which ends later
     */
    private Verdict work(String topic, Claim batch, ChannelRoute route, Executor pool) {
        List<Leased> taken = new ArrayList<>();
        try {
            taken.addAll(batch.collect());
            if (!term.isActive()) {
                return Verdict.UNKNOWN;
            }
            take(topic, batch, taken);
            if (taken.isEmpty()) {
                return Verdict.UNKNOWN;
            }
            BatchDelivery.Batch admitted = delivery.admit(Leased.sorted(taken));
            change(topic, traffic -> traffic.complete(batch));
            if (route.channel() instanceof AsyncDeliveryChannel channel) {
                async.begin(channel, topic, admitted, batch.isProbe(), pool, listener(topic, batch));
                return null;
            }
            return delivery.deliver(route.channel(), topic, admitted);
        } catch (RuntimeException | Error e) {
            // An Error comes from a plug-in, or the memory is used up. The topic tries again later, as after any other
            // failure.
            buckets.abandon(Leased.idsByBucket(taken));
            return Verdict.unavailable(e.toString());
        }
    }

    /** Adds messages from the ready lists to this batch. */
    private void take(String topic, Claim batch, List<Leased> taken) {
        List<Integer> from = batch.buckets();
        if (from.isEmpty() || settings.pulled().contains(topic)) {
            return;
        }
        int limit = batch.isProbe() ? 1 : (settings.batchSize() + from.size() - 1) / from.size();
        long untilNanos = System.nanoTime() + settings.lease().toNanos();
        List<Integer> deep = new ArrayList<>();
        for (Take take : buckets.take(from, topic, limit, settings.lease())) {
            take.messages().forEach(message -> taken.add(new Leased(take.bucket(), message, untilNanos)));
            if (take.more()) {
                deep.add(take.bucket());
            }
        }
        if (!deep.isEmpty()) {
            change(topic, traffic -> deep.forEach(traffic::offerMore));
        }
    }

    private void end(String topic, Claim batch, Verdict verdict) {
        learn(topic, verdict, traffic -> traffic.ended(batch, verdict));
    }

    private FlightListener listener(String topic, Claim batch) {
        long begunNanos = System.nanoTime();
        return new FlightListener(
                verdict -> end(topic, batch, verdict),
                (verdict, released) -> learn(topic, verdict, traffic -> {
                    released.forEach(traffic::offer);
                    return traffic.late(begunNanos, verdict);
                }));
    }

    /** @param change returns how the topic backs off after the verdict, or null */
    private void learn(String topic, Verdict verdict, Function<TopicTraffic, Setback> change) {
        if (verdict.isUsable()) {
            outages.succeeded(topic);
        } else if (verdict.isUnavailable()) {
            meters.unavailable();
        }
        AtomicReference<Setback> setback = new AtomicReference<>();
        change(topic, traffic -> setback.set(change.apply(traffic)));
        if (setback.get() != null) {
            pause(topic, setback.get(), verdict);
        }
    }

    private void pause(String topic, Setback setback, Verdict verdict) {
        Duration backedOff = backoff.after(setback.failures());
        Duration pause = backedOff.compareTo(verdict.retryAfter()) < 0 ? verdict.retryAfter() : backedOff;
        outages.failed(topic, verdict.why(), pause);
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> change(topic, TopicTraffic::resume));
        giveBack(topic, setback.recalled());
    }

    private void giveBack(String topic, List<Leased> messages) {
        if (messages.isEmpty()) {
            return;
        }
        Map<Integer, List<String>> ids = Leased.idsByBucket(messages);
        buckets.release(topic, ids);
        change(topic, traffic -> ids.keySet().forEach(traffic::offer));
    }
}
