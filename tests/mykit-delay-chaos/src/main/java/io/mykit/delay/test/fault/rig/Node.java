package io.mykit.delay.test.fault.rig;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A server process under test. One thread changes its state; all threads may ask. */
public final class Node implements AutoCloseable {
    /** Longer than health waits for any part. */
    private static final Duration LOOK = Duration.ofSeconds(3);
    /** After that a producer gives an answer up. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final String name;
    private final DelayServer server;
    private final Wires wires;
    private final DelayClient looker;
    private final DelayClient producer;
    /** Even: it runs. Changes whenever it is stopped, frozen, started or thawed. */
    private final AtomicInteger stage = new AtomicInteger();

    /** @param token of the producers and the operator; empty = the nodes ask for none */
    Node(String name, Path dir, Map<String, String> settings, String javaOptions, String token, Wires wires) {
        this.name = name;
        this.wires = wires;
        this.server = DelayServer.start(name, dir, settings, javaOptions);
        this.looker = new DelayClient(server.port(), LOOK).withToken(token);
        this.producer = new DelayClient(server.port(), PATIENCE).withToken(token);
    }

    public String name() {
        return name;
    }

    public Wires wires() {
        return wires;
    }

    /** The client of a producer; the node may be in any state. */
    public DelayClient client() {
        return producer;
    }

    /** Whether the test has neither stopped nor frozen it. */
    public boolean runs() {
        return stage.get() % 2 == 0;
    }

    /** The same number twice, and running: it ran all the time between. */
    public int stage() {
        return stage.get();
    }

    /** The role that the node reports: LEADER, STANDBY, DISCONNECTED, or empty when it does not answer. */
    public String role() {
        if (!runs()) {
            return "";
        }
        try {
            JSONObject health = looker.health().dataObject();
            return health == null ? "" : health.getString("role");
        } catch (RuntimeException e) {
            return "";
        }
    }

    /** How far the clock by which it judges due times is ahead of this machine's. */
    public double clockAheadMs() {
        return looker.health()
                .dataObject()
                .getJSONObject("checks")
                .getJSONObject("clock")
                .getJSONObject("details")
                .getDoubleValue("aheadOfThisMachineMs");
    }

    public boolean leads() {
        return role().equals("LEADER");
    }

    /** {@code /health/live}. */
    public Answer live() {
        return looker.get("/health/live");
    }

    /** SIGKILL. */
    public void kill() {
        stage.incrementAndGet();
        server.kill();
    }

    /** SIGTERM; its process may go on for a while after it has stopped serving. */
    public void terminate() {
        stage.incrementAndGet();
        server.terminate();
    }

    /** After {@link #terminate()}: waits for the end. */
    public void awaitEnd() {
        int code = server.stop();
        if (code != 0) {
            throw new IllegalStateException(name + " ended with " + code + " when it was asked to stop");
        }
    }

    /** After {@link #kill()} or {@link #awaitEnd()}; returns when it takes messages. */
    public void restart() {
        server.restart();
        stage.incrementAndGet();
    }

    public void freeze() {
        stage.incrementAndGet();
        server.freeze();
    }

    public void thaw() {
        server.thaw();
        stage.incrementAndGet();
    }

    @Override
    public void close() {
        if (!runs() && server.isAlive()) {
            server.thaw();
        }
        server.close();
        wires.close();
    }
}
