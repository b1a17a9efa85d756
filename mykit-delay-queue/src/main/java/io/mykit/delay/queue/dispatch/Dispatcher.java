package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works the ready lists for one term. Thread-safe.
 *
 * <p>One topic never holds up another: a topic that fails backs off alone, and each channel has a pool of its own
 * ({@link ChannelPools}), so that a broker which makes every send wait out its timeout uses up only its own threads.
 */
public final class Dispatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    /** Batches of one lane before others that wait for the pool get their turn. */
    private static final int BATCHES_PER_TURN = 16;

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final LeaderTerm term;
    private final BucketIndex index;
    private final BatchDelivery delivery;
    private final Function<String, ChannelRoute> routes;
    private final DispatchSettings settings;
    private final DispatchMeters meters;
    private final Backoff backoff;
    private final ChannelPools pools;
    private final ConcurrentMap<String, TopicLanes> topics = new ConcurrentHashMap<>();

    Dispatcher(
            LeaderTerm term,
            BucketIndex index,
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
        TopicLanes lanes = topics.compute(topic, (name, existing) -> {
            TopicLanes found = existing == null ? new TopicLanes(name) : existing;
            found.offer(bucket);
            return found;
        });
        run(lanes);
    }

    /** Lets the batches in flight finish, for at most ten seconds. The term is over already, so no new one begins. */
    @Override
    public void close() {
        pools.close(CLOSE_TIMEOUT);
    }

    private void run(TopicLanes lanes) {
        int bucket;
        while (term.isActive() && (bucket = lanes.begin()) >= 0) {
            int lane = bucket;
            try {
                ChannelRoute route = routes.apply(lanes.topic());
                pools.of(route.name()).execute(() -> turn(lanes, lane, route));
            } catch (RejectedExecutionException e) {
                lanes.finish(lane);
                return;
            } catch (RuntimeException e) {
                // The channel cannot be opened: that is this topic's trouble and not that of the scanner who offers it.
                pause(lanes, lane, e.toString());
                lanes.finish(lane);
                return;
            }
        }
    }

    private void turn(TopicLanes lanes, int bucket, ChannelRoute route) {
        try {
            work(lanes, bucket, route);
        } catch (BucketLostException e) {
            LOG.debug("{}; its scanner claims it again", e.getMessage());
        } catch (FencedException e) {
            LOG.warn("Another leader has been here, this term is over: {}", e.getMessage());
            term.fenced();
        } catch (RuntimeException e) {
            // Whatever was taken stays under its lease and is given back when that runs out.
            pause(lanes, bucket, e.toString());
        } finally {
            lanes.finish(bucket);
            topics.computeIfPresent(lanes.topic(), (name, current) -> current.isIdle() ? null : current);
            run(lanes);
        }
    }

    private void work(TopicLanes lanes, int bucket, ChannelRoute route) {
        for (int batch = 0; batch < BATCHES_PER_TURN; batch++) {
            if (!term.isActive()) {
                return;
            }
            int limit = lanes.isProbing() ? 1 : settings.batchSize();
            List<DelayMessage> taken = index.take(bucket, lanes.topic(), term.epoch(), limit, settings.lease());
            if (taken.isEmpty()) {
                return;
            }
            String unavailable = delivery.run(bucket, term.epoch(), route.channel(), lanes.topic(), taken);
            if (unavailable != null) {
                meters.unavailable();
                pause(lanes, bucket, unavailable);
                return;
            }
            if (lanes.succeeded()) {
                run(lanes);
            }
        }
        lanes.offer(bucket);
    }

    private void pause(TopicLanes lanes, int bucket, String why) {
        int failures = lanes.failed(bucket);
        if (failures == 0) {
            return;
        }
        Duration pause = backoff.after(failures);
        LOG.warn(
                "Topic {} cannot be delivered ({}); failure {}, next try in {} ms",
                lanes.topic(),
                why,
                failures,
                pause.toMillis());
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> resume(lanes));
    }

    private void resume(TopicLanes lanes) {
        lanes.resume();
        run(lanes);
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
