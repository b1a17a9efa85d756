package io.mykit.delay.queue.redis;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.HostAndPort;

/** The servers in use, each with its pool of connections. Thread-safe. */
final class RedisServers implements AutoCloseable {
    private final RedisSettings settings;
    private final Topology topology;
    private final Map<HostAndPort, RedisNode> nodes = new ConcurrentHashMap<>();
    private final Restarts restarts = new Restarts(System::nanoTime);
    /** A call met a server that is gone, or that is not the master any more. */
    private volatile boolean doubtful;

    RedisServers(RedisSettings settings, Topology topology) {
        this.settings = settings;
        this.topology = topology;
    }

    /** @throws RedisUnavailableException while the server of the slot is not known */
    RedisNode of(int slot) {
        return at(topology.nodeOf(slot));
    }

    RedisNode at(HostAndPort address) {
        return nodes.computeIfAbsent(address, a -> new RedisNode(a, settings, topology::generation, restarts));
    }

    Topology topology() {
        return topology;
    }

    Restarts restarts() {
        return restarts;
    }

    /** Asks for a new read of the topology soon. */
    void doubt() {
        doubtful = true;
    }

    boolean takeDoubt() {
        boolean was = doubtful;
        doubtful = false;
        return was;
    }

    /** Closes all servers but these. */
    void retain(Set<HostAndPort> addresses) {
        nodes.values().removeIf(node -> {
            boolean goes = !addresses.contains(node.address());
            if (goes) {
                node.close();
            }
            return goes;
        });
    }

    Collection<RedisNode> all() {
        return nodes.values();
    }

    @Override
    public void close() {
        nodes.values().forEach(RedisNode::close);
        topology.close();
    }
}
