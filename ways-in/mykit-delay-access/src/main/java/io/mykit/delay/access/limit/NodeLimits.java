package io.mykit.delay.access.limit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.CallerLimits;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.bucket.SharedLimits.RateShare;
import io.mykit.delay.queue.metric.Family;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of callers as this node keeps them. The loop {@code limits} makes the orders of all buckets that want one in one exchange with
 * Redis; a rate costs at most some tens of orders a second, however many calls come. Thread-safe.
 */
public final class NodeLimits implements CallLimits, Loop, Service {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLimits.class);
    /** Between two rounds that nothing asked for. */
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private static final Backoff RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    private final SharedLimits shared;
    private final Function<String, NamespaceLimits> ofNamespace;
    private final IntSupplier liveNodes;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final LoopRunner loop = new LoopRunner("limits", this, RETRY);
    private final TopicPlaces topics;
    /** By the id of the token. */
    private final Map<Kind, Map<String, RateBucket>> ofTokens = buckets();
    /** By the name of the namespace. */
    private final Map<Kind, Map<String, RateBucket>> ofNamespaces = buckets();

    private final Queue<RateBucket> ordering = new ConcurrentLinkedQueue<>();
    private final Map<Kind, Counter> refused = new EnumMap<>(Kind.class);
    private volatile int nodes = 1;
    /** Of the loop. */
    private long lookedNanos;

    /**
     * @param ofNamespace the limits of a namespace as they are now; must not block
     * @param liveNodes the number of nodes; may block, and may throw while Redis is away
     * @param clock the clock of the cluster
     */
    public NodeLimits(
            SharedLimits shared,
            Function<String, NamespaceLimits> ofNamespace,
            IntSupplier liveNodes,
            InstantSource clock,
            MeterRegistry meters) {
        this(shared, ofNamespace, liveNodes, clock, meters, System::nanoTime);
    }

    NodeLimits(
            SharedLimits shared,
            Function<String, NamespaceLimits> ofNamespace,
            IntSupplier liveNodes,
            InstantSource clock,
            MeterRegistry meters,
            LongSupplier nanoTime) {
        this.shared = shared;
        this.ofNamespace = ofNamespace;
        this.liveNodes = liveNodes;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.topics = new TopicPlaces(loop::wake, nanoTime);
        this.lookedNanos = nanoTime.getAsLong() - INTERVAL.toNanos();
        for (Kind kind : Kind.values()) {
            refused.put(kind, Family.RATE_LIMITED.counter(meters, kind.word()));
        }
    }

    private static Map<Kind, Map<String, RateBucket>> buckets() {
        Map<Kind, Map<String, RateBucket>> buckets = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            buckets.put(kind, new ConcurrentHashMap<>());
        }
        return buckets;
    }

    @Override
    public void start() {
        loop.start();
    }

    /** Calls that wait for Redis are not answered any more. */
    @Override
    public void close() {
        loop.close();
    }

    @Override
    public CompletableFuture<Permit> ask(Principal caller, Kind kind, int items) {
        CallerLimits limits = caller.limits();
        int own = kind.ofToken(limits);
        int all = kind.ofNamespace(limits.namespace());
        if (own == 0 && all == 0) {
            return Permit.GO_AT_ONCE;
        }
        CompletableFuture<Permit> permit =
                own == 0 ? take(ofNamespace(caller, kind), items, all) : take(ofToken(caller, kind), items, own);
        if (own > 0 && all > 0) {
            permit = both(permit, caller, kind, items, all);
        }
        return counted(permit, kind);
    }

    /** An item of the token that the namespace refuses was not spent. */
    private CompletableFuture<Permit> both(
            CompletableFuture<Permit> ofToken, Principal caller, Kind kind, int items, int all) {
        return ofToken.thenCompose(first -> {
            if (!first.isGo()) {
                return CompletableFuture.completedFuture(first);
            }
            return take(ofNamespace(caller, kind), items, all).thenApply(second -> {
                if (!second.isGo()) {
                    ofToken(caller, kind).putBack(items);
                }
                return second;
            });
        });
    }

    private CompletableFuture<Permit> counted(CompletableFuture<Permit> permit, Kind kind) {
        if (permit == Permit.GO_AT_ONCE) {
            return permit;
        }
        return permit.thenApply(result -> {
            if (!result.isGo()) {
                refused.get(kind).increment();
            }
            return result;
        });
    }

    @Override
    public void passed(Principal caller, Kind kind, int items) {
        CallerLimits limits = caller.limits();
        int own = kind.ofToken(limits);
        int all = kind.ofNamespace(limits.namespace());
        if (items > 0 && own > 0) {
            ofToken(caller, kind).passed(items, own, nodes, nanoTime.getAsLong());
        }
        if (items > 0 && all > 0) {
            ofNamespace(caller, kind).passed(items, all, nodes, nanoTime.getAsLong());
        }
    }

    private CompletableFuture<Permit> take(RateBucket bucket, int items, int rate) {
        return bucket.take(items, rate, nodes, nanoTime.getAsLong());
    }

    private RateBucket ofToken(Principal caller, Kind kind) {
        return bucket(ofTokens.get(kind), "token", caller.tokenId().orElseThrow(), kind);
    }

    private RateBucket ofNamespace(Principal caller, Kind kind) {
        return bucket(ofNamespaces.get(kind), "namespace", caller.namespace(), kind);
    }

    private RateBucket bucket(Map<String, RateBucket> buckets, String what, String name, Kind kind) {
        RateBucket known = buckets.get(name);
        return known != null
                ? known
                : buckets.computeIfAbsent(
                        name,
                        first -> new RateBucket(
                                what + "/" + name + "/" + kind.word(),
                                "the " + what + " is over its " + kind.word() + "Rate of ",
                                this::order,
                                nanoTime.getAsLong()));
    }

    private void order(RateBucket bucket) {
        ordering.add(bucket);
        loop.wake();
    }

    @Override
    public NamespaceBounds bounds(String namespace) {
        return new CurrentBounds(namespace, ofNamespace, topics, clock);
    }

    @Override
    public Duration runOnce() {
        makeOrders();
        topics.round(shared);
        long now = nanoTime.getAsLong();
        if (now - lookedNanos >= INTERVAL.toNanos()) {
            lookedNanos = now;
            forget(ofTokens, now);
            forget(ofNamespaces, now);
            topics.forget();
            countNodes();
        }
        return INTERVAL;
    }

    private void makeOrders() {
        List<RateBucket> round = new ArrayList<>();
        for (RateBucket next = ordering.poll(); next != null; next = ordering.poll()) {
            round.add(next);
        }
        if (round.isEmpty()) {
            return;
        }
        int told = 0;
        try {
            List<Optional<RateShare>> shares =
                    shared.take(round.stream().map(RateBucket::order).toList());
            long now = nanoTime.getAsLong();
            while (told < round.size()) {
                Optional<RateShare> answer = shares.get(told);
                RateBucket bucket = round.get(told++);
                answer.ifPresentOrElse(share -> bucket.filled(share, now), () -> bucket.failed(now));
            }
        } finally {
            // After a defect. A bucket that is told nothing would never order again.
            long now = nanoTime.getAsLong();
            round.subList(told, round.size()).forEach(bucket -> bucket.failed(now));
        }
    }

    private static void forget(Map<Kind, Map<String, RateBucket>> buckets, long nowNanos) {
        buckets.values().forEach(each -> each.values().removeIf(bucket -> bucket.isIdle(nowNanos)));
    }

    /** Only while a rate is in use: the number counts while Redis is away, when nobody can be asked. */
    private void countNodes() {
        boolean used = ofTokens.values().stream().anyMatch(each -> !each.isEmpty())
                || ofNamespaces.values().stream().anyMatch(each -> !each.isEmpty());
        if (!used) {
            return;
        }
        try {
            nodes = Math.max(1, liveNodes.getAsInt());
        } catch (DelayException away) {
            LOG.debug("The nodes could not be counted; the last number counts", away);
        }
    }
}
