package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.util.List;
import java.util.Optional;

/** The Redis servers of a run. One thread breaks them; all may ask for the masters. */
public interface IndexServers extends AutoCloseable {
    /** The servers at this moment, broken ones included. */
    List<RedisServer> masters();

    /** Where the wires of the nodes lead; empty: clients find the servers by themselves. */
    List<Integer> wired();

    /** For a node with these wires. */
    String uri(Wires wires);

    /** The sentinels and their servers, if this is such an ensemble. */
    default Optional<RedisSentinel> sentinel() {
        return Optional.empty();
    }

    /** The shards, if this is a cluster. */
    default Optional<RedisCluster> cluster() {
        return Optional.empty();
    }

    /** SIGKILL to one master; where there are several, to another one each time. */
    void kill();

    /** Starts the killed server again, on the same port, with its data on disk. */
    void restart();

    /** SIGSTOP to one master; where there are several, to another one each time. */
    void freeze();

    /** Thaws the frozen server. */
    void thaw();

    @Override
    void close();
}
