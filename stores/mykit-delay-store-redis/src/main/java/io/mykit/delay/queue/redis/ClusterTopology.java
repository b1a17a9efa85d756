package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The slot table of Redis Cluster. Each node of the cluster can report it, but a node that is cut off from its peers reports an old one.
 * So a refresh asks the nodes in turn until one that serves agrees with the table ({@link ClusterTable}). If a server in use is in doubt, it asks
 * until several masters agree, so that an island of one does not count. Nodes that did not answer, or do not serve, are asked last.
 * One thread calls {@link #refresh}; any thread may call the other methods.
 */
final class ClusterTopology implements Topology {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTopology.class);
    /** After this time a refresh asks no further node. The next one asks the others first. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(1500).toNanos();
    /** A majority of a small cluster. */
    private static final int WITNESSES = 3;

    private final List<HostAndPort> seeds;
    private final Function<HostAndPort, ClusterWord> ask;
    private final LongSupplier nanoTime;
    private final ClusterTable table;
    /** Nodes that did not answer, or did not serve, when they were asked last; the latest at the end. */
    private final Set<HostAndPort> doubted = new LinkedHashSet<>();

    private int turn;
    private boolean toldRefusal;

    ClusterTopology(RedisSettings settings) {
        this(settings.uri().hosts(), node -> ask(settings, node), System::nanoTime);
    }

    /** @param ask throws a JedisException if the node does not answer */
    ClusterTopology(List<HostAndPort> seeds, Function<HostAndPort, ClusterWord> ask, LongSupplier nanoTime) {
        this.seeds = seeds;
        this.ask = ask;
        this.nanoTime = nanoTime;
        this.table = new ClusterTable(nanoTime);
    }

    @Override
    public HostAndPort nodeOf(int slot) {
        HostAndPort master = table.masterOf(slot);
        if (master == null) {
            throw RedisFailures.unavailable("has no known master for cluster slot " + slot, null);
        }
        return master;
    }

    @Override
    public boolean isSharded() {
        return true;
    }

    @Override
    public void moved(int slot, HostAndPort to) {
        table.moved(slot, to);
    }

    @Override
    public boolean refresh(boolean doubtful) {
        long begunNanos = nanoTime.getAsLong();
        Set<HostAndPort> waiting = inTurn();
        boolean careful = doubtful || table.masters().isEmpty();
        Set<HostAndPort> known = new HashSet<>(waiting);
        List<ClusterWord> words = new ArrayList<>();
        Set<HostAndPort> agreed = new HashSet<>();
        JedisException last = null;
        while (!waiting.isEmpty()
                && (careful ? !isCertain(agreed) : agreed.isEmpty())
                && nanoTime.getAsLong() - begunNanos < PATIENCE_NANOS) {
            HostAndPort node = next(waiting);
            waiting.remove(node);
            doubted.remove(node);
            try {
                ClusterWord word = ask.apply(node);
                words.add(word);
                word.nodes().stream().filter(known::add).forEach(waiting::add);
                if (!word.serves()) {
                    doubted.add(node);
                } else if (table.take(word)) {
                    agreed.add(node);
                }
                tellRefusal(node, word);
            } catch (JedisException e) {
                doubted.add(node);
                last = new JedisException(node + ": " + e.getMessage(), e);
            }
        }
        if (words.isEmpty()) {
            throw last;
        }
        doubted.retainAll(known);
        table.settle(words, !agreed.isEmpty());
        return isCertain(agreed);
    }

    /** The masters and the hosts of the configuration, another one first each time. */
    private Set<HostAndPort> inTurn() {
        Set<HostAndPort> all = table.masters();
        all.addAll(seeds);
        List<HostAndPort> order = new ArrayList<>(all);
        Collections.rotate(order, -Math.floorMod(turn++, order.size()));
        return new LinkedHashSet<>(order);
    }

    private HostAndPort next(Set<HostAndPort> waiting) {
        return waiting.stream()
                .filter(node -> !doubted.contains(node))
                .findFirst()
                .orElseGet(() ->
                        doubted.stream().filter(waiting::contains).findFirst().orElseThrow());
    }

    /** Only the addresses of masters count: a host of the configuration may be another name of one of them, or a replica. */
    private boolean isCertain(Set<HostAndPort> agreed) {
        Set<HostAndPort> masters = table.masters();
        long witnesses = agreed.stream().filter(masters::contains).count();
        return witnesses >= Math.min(WITNESSES, masters.size() / 2 + 1);
    }

    private void tellRefusal(HostAndPort node, ClusterWord word) {
        if (word.refusal() != null && !toldRefusal) {
            toldRefusal = true;
            LOG.warn(
                    "Redis {} does not tell its state and epochs ({}), so that this node may follow a master that is cut off from the"
                            + " cluster: give the user in {} the rights cluster|info and cluster|nodes",
                    node,
                    word.refusal(),
                    Misfit.KEY);
        }
    }

    private static ClusterWord ask(RedisSettings settings, HostAndPort node) {
        RedisLink link = settings.connectProbe(node);
        try {
            link.sendCommand(Protocol.Command.CLUSTER, "INFO");
            link.sendCommand(Protocol.Command.CLUSTER, "NODES");
            link.sendCommand(Protocol.Command.CLUSTER, "SLOTS");
            return ClusterWord.of(node, link.getMany(3));
        } finally {
            link.cut();
        }
    }
}
