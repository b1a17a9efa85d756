package io.mykit.delay.queue.redis;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** The slot table of Redis Cluster; each node of the cluster can report it. */
final class ClusterTopology implements Topology {
    private static final int SLOTS = 16_384;

    private final RedisSettings settings;
    private final AtomicReferenceArray<HostAndPort> masters = new AtomicReferenceArray<>(SLOTS);

    ClusterTopology(RedisSettings settings) {
        this.settings = settings;
    }

    @Override
    public HostAndPort nodeOf(int slot) {
        HostAndPort master = masters.get(slot);
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
        masters.set(slot, to);
    }

    @Override
    public void refresh(boolean doubtful) {
        Set<HostAndPort> candidates = new LinkedHashSet<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            if (masters.get(slot) != null) {
                candidates.add(masters.get(slot));
            }
        }
        candidates.addAll(settings.uri().hosts());
        JedisException last = null;
        for (HostAndPort candidate : candidates) {
            try {
                ask(candidate);
                return;
            } catch (JedisException e) {
                last = new JedisException(candidate + ": " + e.getMessage(), e);
            }
        }
        throw last;
    }

    private void ask(HostAndPort node) {
        RedisLink link = settings.connectProbe(node);
        try {
            link.sendCommand(Protocol.Command.CLUSTER, "SLOTS");
            for (Object range : Replies.list(link.getOne())) {
                take(Replies.list(range), node);
            }
        } finally {
            link.cut();
        }
    }

    /** A range is: first slot, last slot, master, replicas. A node is: host, port, id, and more. */
    private void take(List<?> range, HostAndPort asked) {
        List<?> master = Replies.list(range.get(2));
        // A node that does not know its own address leaves the host out. Then the master is the node that was asked.
        String host = master.get(0) == null ? "" : Replies.text(master.get(0));
        HostAndPort address =
                new HostAndPort(host.isEmpty() ? asked.getHost() : host, (int) Replies.number(master.get(1)));
        for (int slot = (int) Replies.number(range.get(0)); slot <= Replies.number(range.get(1)); slot++) {
            masters.set(slot, address);
        }
    }
}
