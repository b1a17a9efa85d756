package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.RedisServer;
import java.util.List;

/** One server, behind a wire. */
final class StandaloneRedis implements IndexServers {
    private final RedisServer server;

    StandaloneRedis(RedisServer server) {
        this.server = server;
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

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public void freeze() {
        server.freeze();
    }

    @Override
    public void thaw() {
        server.thaw();
    }

    @Override
    public void close() {
        server.close();
    }
}
