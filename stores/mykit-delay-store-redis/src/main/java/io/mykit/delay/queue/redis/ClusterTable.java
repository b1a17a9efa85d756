package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * The master of each slot, merged from the words of several nodes. The rule is that of the nodes themselves: of two masters of one
 * slot, the one with the higher configuration epoch has it. A node that does not serve has no say about a slot that has a master: it may be alone,
 * and its epochs prove nothing (CLUSTER FAILOVER TAKEOVER raises them without a vote).
 *
 * <p>A cluster that was set up anew counts its epochs from 0 again, and its nodes have other ids. Its words are never mixed with those of
 * the cluster before. The table follows it when no serving node has agreed with the table for ten seconds. A master that is cut off
 * notices it sooner, unless {@code cluster-node-timeout} is above twenty seconds: it needs one and a half of this time at most, and a
 * replica takes its place after one at the earliest.
 *
 * <p>One thread reads words; any thread may call {@link #masterOf} and {@link #moved}.
 */
final class ClusterTable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTable.class);
    private static final int SLOTS = 16_384;
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();

    private final LongSupplier nanoTime;
    private final AtomicReferenceArray<Owner> owners = new AtomicReferenceArray<>(SLOTS);
    private Set<String> members = Set.of();
    private boolean contradicted;
    private long sinceNanos;

    ClusterTable(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Null = not known. */
    HostAndPort masterOf(int slot) {
        Owner owner = owners.get(slot);
        return owner == null ? null : owner.master();
    }

    /** In the order of their first slots. */
    Set<HostAndPort> masters() {
        Set<HostAndPort> masters = new LinkedHashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            HostAndPort master = masterOf(slot);
            if (master != null) {
                masters.add(master);
            }
        }
        return masters;
    }

    /** A redirection tells no epoch. The next word of the cluster has at least the one before. */
    void moved(int slot, HostAndPort to) {
        owners.updateAndGet(slot, before -> new Owner(to, before == null ? Long.MIN_VALUE : before.epoch()));
    }

    /**
     * Takes what a serving node says, unless it is older than the table.
     *
     * @return whether the node agrees with the table now
     */
    boolean take(ClusterWord word) {
        if (!members.isEmpty() && !word.members().isEmpty() && Collections.disjoint(members, word.members())) {
            return false;
        }
        boolean agrees = true;
        for (ClusterWord.Range range : word.ranges()) {
            Owner owner = new Owner(range.master(), range.epoch());
            for (int slot = range.first(); slot <= range.last(); slot++) {
                Owner before = owners.get(slot);
                boolean isOlder =
                        before != null && !before.master().equals(owner.master()) && owner.epoch() < before.epoch();
                if (isOlder) {
                    agrees = false;
                } else {
                    owners.set(slot, owner);
                }
            }
        }
        if (agrees) {
            members = word.members();
        }
        return agrees;
    }

    /**
     * Ends a read of all nodes that answered.
     *
     * @param agreed whether {@link #take} returned true for one of them
     */
    void settle(List<ClusterWord> words, boolean agreed) {
        List<ClusterWord> serving = words.stream().filter(ClusterWord::serves).toList();
        if (serving.isEmpty()) {
            words.forEach(this::fill);
        }
        if (agreed || serving.isEmpty()) {
            contradicted = false;
            return;
        }
        long now = nanoTime.getAsLong();
        if (!contradicted) {
            contradicted = true;
            sinceNanos = now;
            LOG.info(
                    "Redis Cluster names masters with lower epochs, or has other nodes; this node follows it if that lasts 10 s");
        } else if (now - sinceNanos >= PATIENCE_NANOS) {
            contradicted = false;
            followAnew(serving);
        }
    }

    /** The masters are not served, but the health can tell which server refuses. */
    private void fill(ClusterWord word) {
        for (ClusterWord.Range range : word.ranges()) {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                owners.compareAndSet(slot, null, new Owner(range.master(), Long.MIN_VALUE));
            }
        }
    }

    /** If the words are of several clusters, the one with the most of them counts. */
    private void followAnew(List<ClusterWord> serving) {
        Set<HostAndPort> before = masters();
        members = Set.of();
        for (int slot = 0; slot < SLOTS; slot++) {
            owners.updateAndGet(slot, owner -> owner == null ? null : new Owner(owner.master(), Long.MIN_VALUE));
        }
        serving.stream()
                .max(Comparator.comparingLong(word -> serving.stream()
                        .filter(other -> !Collections.disjoint(word.members(), other.members()))
                        .count()))
                .ifPresent(this::take);
        serving.forEach(this::take);
        LOG.warn("Redis Cluster was set up anew: this node follows {}, and leaves {}", masters(), before);
    }

    private record Owner(HostAndPort master, long epoch) {}
}
