package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One server of a {@link ZooKeeperEnsemble}. Thread-safe while it is not restarted. */
public final class ZooKeeperServer implements AutoCloseable {
    private static final List<String> JVM = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dzookeeper.admin.enableServer=false",
            "-Dzookeeper.forceSync=no", // The page cache survives a SIGKILL, which is enough here.
            "-Dzookeeper.preAllocSize=1024",
            "-Dzookeeper.4lw.commands.whitelist=srvr");

    private static final String LOGBACK = """
            <configuration>
              <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%d %-5level %logger{0} %msg%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="OUT"/></root>
            </configuration>
            """;

    private final Path dir;
    private final int id;
    private final int port;
    private volatile ServerProcess process;

    /**
     * @param id from 1
     * @param peers the {@code server.N} lines; empty for a server of its own
     */
    ZooKeeperServer(Path dir, int id, int port, String peers) {
        this.dir = dir;
        this.id = id;
        this.port = port;
        // Ticks of half a second are the smallest with which sessions of one second work.
        String settings = """
                tickTime=500
                minSessionTimeout=1000
                maxSessionTimeout=60000
                initLimit=20
                syncLimit=6
                maxClientCnxns=0
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                %s
                """.formatted(dir.resolve("data"), port, peers);
        try {
            Files.createDirectories(dir.resolve("data"));
            Files.writeString(dir.resolve("data/myid"), Integer.toString(id));
            Files.writeString(dir.resolve("zoo.cfg"), settings);
            Files.writeString(dir.resolve("logback.xml"), LOGBACK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        launch();
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    /** {@code leader}, {@code follower}, {@code standalone}, or empty when it serves no client. */
    public String mode() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            socket.setSoTimeout(500);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    public boolean isServing() {
        return !mode().isEmpty();
    }

    /** SIGKILL. */
    public void kill() {
        process.kill();
    }

    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** Kills it if it lives, and starts it on the same port and data; returns before it serves. */
    public void restart() {
        process.kill();
        launch();
    }

    ServerProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }

    private void launch() {
        List<String> options = new ArrayList<>(JVM);
        options.add("-Dlogback.configurationFile=" + dir.resolve("logback.xml"));
        process = ServerProcess.startJava(
                "zookeeper-" + id,
                dir,
                options,
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                List.of(dir.resolve("zoo.cfg").toString()));
    }
}
