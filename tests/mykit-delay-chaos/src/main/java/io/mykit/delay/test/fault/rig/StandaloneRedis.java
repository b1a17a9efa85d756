package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisServer;
import java.util.List;

/** One server, behind a wire. */
final class StandaloneRedis extends OneServer<RedisServer> implements IndexServers {
    StandaloneRedis(RedisServer server) {
        super(server);
    }

    @Override
    public List<RedisServer> masters() {
        return List.of(server);
    }

    @Override
    public List<Integer> wired() {
        return List.of(server.port());
    }

    @Override
    public String uri(Wires wires) {
        return "redis://127.0.0.1:" + wires.port(Part.REDIS) + "/0";
    }
}
