package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.dispatch.TopicTraffic.Claim;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Works the ready lists for one term. Thread-safe.
 *
 * <p>One topic never holds up another: a topic that fails backs off alone, and each channel has a pool of its own
 * ({@link ChannelPools}), so that a broker which makes every send wait out its timeout uses up only its own threads.
 */
public final class Dispatcher implements AutoCloseable {
    /** Batches of one topic before others that wait for the pool get their turn. */
    private static final int BATCHES_PER_TURN = 16;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final LeaderTerm term;
    private final TermIndex index;
    private final BatchDelivery delivery;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final DispatchMeters meters;
    private final Backoff backoff;
    private final ChannelPools pools;
    private final ConcurrentMap<String, TopicTraffic> topics = new ConcurrentHashMap<>();
    private final TopicOutages outages = new TopicOutages();

    Dispatcher(
            LeaderTerm term,
            TermIndex index,
            BatchDelivery delivery,
            Function<String, ChannelRoute> routes,
            DispatchSettings settings,
            Backoff backoff,
            DispatchMeters meters) {
        this.term = term;
        this.index = index;
        this.delivery = delivery;
        this.routes = routes;
        this.settings = settings;
        this.backoff = backoff;
        this.meters = meters;
        this.pools = new ChannelPools(settings.threadsPerChannel());
    }

    /** The ready list of this topic in this bucket may have got something. Returns at once. */
    public void offer(int bucket, String topic) {
        TopicTraffic traffic = topics.compute(topic, (name, existing) -> {
            TopicTraffic found = existing == null ? newTraffic(name) : existing;
            found.offer(bucket);
            return found;
        });
        run(traffic);
    }

    /** What the scanners may take at once, for {@link #accept}. */
    public Handover handover() {
        return new Handover(this::busy, settings.batchSize(), settings.lease());
    }

    private List<String> busy() {
        return topics.values().stream()
                .filter(traffic -> !traffic.takesMore())
                .map(TopicTraffic::topic)
                .toList();
    }

    /** These messages of one bucket have been taken. Returns at once, unless they have to be given back. */
    public void accept(int bucket, List<DelayMessage> messages, long sinceNanos) {
        long untilNanos = sinceNanos + settings.lease().toNanos();
        Map<String, List<Leased>> byTopic = new HashMap<>();
        for (DelayMessage message : messages) {
            byTopic.computeIfAbsent(message.topic(), topic -> new ArrayList<>())
                    .add(new Leased(bucket, message, untilNanos));
        }
        byTopic.forEach(this::accept);
    }

    private void accept(String topic, List<Leased> messages) {
        boolean[] accepted = {false};
        TopicTraffic traffic = topics.compute(topic, (name, existing) -> {
            TopicTraffic found = existing == null ? newTraffic(name) : existing;
            accepted[0] = found.hand(messages);
            return found;
        });
        if (!accepted[0]) {
            giveBack(traffic, messages);
        }
        run(traffic);
    }

    private TopicTraffic newTraffic(String topic) {
        return new TopicTraffic(topic, settings.batchesPerTopic(), settings.batchSize());
    }

    private void giveBack(TopicTraffic traffic, List<Leased> messages) {
        Map<Integer, List<String>> ids = Leased.idsByBucket(messages);
        index.release(traffic.topic(), ids);
        ids.keySet().forEach(traffic::offer);
    }

    /** Lets the batches in flight finish, for at most ten seconds. The term is over already, so no new one begins. */
    @Override
    public void close() {
        pools.close(CLOSE_TIMEOUT);
    }

    private void run(TopicTraffic traffic) {
        Claim next;
        while (term.isActive() && (next = traffic.begin()) != null) {
            Claim claim = next;
            try {
                ChannelRoute route = routes.apply(traffic.topic());
                pools.of(route.name()).execute(() -> turn(traffic, claim, route));
            } catch (RejectedExecutionException e) {
                traffic.end(claim);
                return;
            } catch (RuntimeException | Error e) {
                // The channel cannot be opened: that is this topic's trouble and not that of the scanner who offers it.
                pause(traffic, claim, e.toString());
                traffic.end(claim);
                return;
            }
        }
    }

    private void turn(TopicTraffic traffic, Claim first, ChannelRoute route) {
        Claim claim = first;
        for (int batch = 1; claim != null; batch++) {
            try {
                work(traffic, claim, route);
            } catch (RuntimeException | Error e) {
                // An Error is a plug-in's, or no memory is left: the topic tries again later as after any other
                // failure.
                pause(traffic, claim, e.toString());
            } finally {
                traffic.end(claim);
            }
            claim = batch < BATCHES_PER_TURN && term.isActive() ? traffic.begin() : null;
        }
        topics.computeIfPresent(traffic.topic(), (name, current) -> current.isIdle() ? null : current);
        run(traffic);
    }

    private void work(TopicTraffic traffic, Claim claim, ChannelRoute route) {
        LockSupport.parkNanos(traffic.gatherNanos(claim));
        if (!term.isActive()) {
            return;
        }
        traffic.collect(claim);
        List<Leased> taken = Leased.sorted(taken(traffic, claim));
        if (taken.isEmpty()) {
            return;
        }
        run(traffic);
        boolean ended = false;
        try {
            work(traffic, claim, route, taken);
            ended = true;
        } finally {
            if (!ended) {
                index.abandon(taken);
            }
        }
    }

    private void work(TopicTraffic traffic, Claim claim, ChannelRoute route, List<Leased> taken) {
        BatchDelivery.Batch batch = delivery.admit(taken);
        traffic.gathered(claim);
        run(traffic);
        Verdict verdict = delivery.deliver(route.channel(), traffic.topic(), batch);
        if (verdict.isUnavailable()) {
            meters.unavailable();
            pause(traffic, claim, verdict.why());
            return;
        }
        if (verdict.isUsable()) {
            outages.succeeded(traffic.topic());
        }
        if (verdict.isUsable() && traffic.succeeded()) {
            run(traffic);
        }
    }

    private List<Leased> taken(TopicTraffic traffic, Claim claim) {
        int buckets = claim.buckets().size();
        if (buckets == 0) {
            return claim.handed();
        }
        int limit = claim.isProbe() ? 1 : (settings.batchSize() + buckets - 1) / buckets;
        List<Leased> taken = new ArrayList<>(claim.handed());
        long untilNanos = System.nanoTime() + settings.lease().toNanos();
        for (Take take : index.take(claim.buckets(), traffic.topic(), limit, settings.lease())) {
            take.messages().forEach(message -> taken.add(new Leased(take.bucket(), message, untilNanos)));
            if (take.more()) {
                traffic.offerMore(take.bucket());
            }
        }
        return taken;
    }

    private void pause(TopicTraffic traffic, Claim claim, String why) {
        int failures = traffic.failed(claim);
        if (failures == 0) {
            return;
        }
        giveBack(traffic, traffic.recall());
        Duration pause = backoff.after(failures);
        outages.failed(traffic.topic(), why, pause);
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> resume(traffic));
    }

    private void resume(TopicTraffic traffic) {
        traffic.resume();
        run(traffic);
    }
}
