package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.Breakable;
import io.mykit.delay.test.server.RedisCluster;
import io.mykit.delay.test.server.RedisSentinel;
import io.mykit.delay.test.server.RedisServer;
import java.util.List;
import java.util.Optional;

/**
 * The Redis servers of a run. A fault breaks one master; where there are several, another one each time. One thread breaks them; all may ask
 * for the masters.
 */
public interface IndexServers extends Breakable {
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
}
