package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.fault.agent.AgentJar;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.agent.Tripwire;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** The packaged server, with wires at all points of which none is armed at first. For one thread. */
final class Mortal implements AutoCloseable {
    private static final Duration DEATH = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final DelayServer server;
    private final int port = FreePorts.next();
    private final String agent;

    /** @param points all that may be armed */
    Mortal(String name, Path dir, Map<String, String> settings, Set<Point> points) throws IOException {
        Files.createDirectories(dir);
        String methods = points.stream().map(Point::method).distinct().collect(Collectors.joining(","));
        agent = "-javaagent:" + AgentJar.write(dir) + "=port=" + port + ";methods=" + methods;
        // It lives for seconds, so an optimizing compiler would gain nothing.
        server = DelayServer.prepare(name, dir, settings, "-Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    }

    /** As a producer calls it. */
    DelayClient client() {
        return new DelayClient(server.port(), PATIENCE);
    }

    boolean isAlive() {
        return server.isAlive();
    }

    /** Returns when it takes messages. */
    void live() {
        server.begin(agent);
        server.awaitReady();
    }

    /** Returns at once; the point is armed from the first instruction. */
    void liveUntil(Point point) {
        server.begin(agent + ";armed=" + point);
    }

    /** From now on. */
    void arm(Point point) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write((point + "\n").getBytes(StandardCharsets.UTF_8));
            if (!"armed".equals(in.readLine())) {
                throw new IOException(point + " was not armed");
            }
        }
    }

    /** Whether it died at the point that was armed; one that did not is killed. */
    boolean diesThere() {
        OptionalInt code = server.awaitExit(DEATH);
        if (code.isEmpty()) {
            server.kill();
        }
        return code.isPresent() && code.getAsInt() == Tripwire.EXIT_CODE;
    }

    void kill() {
        server.kill();
    }

    /** The output of all its lives. */
    String log() {
        return server.log();
    }

    @Override
    public void close() {
        server.close();
    }
}
