package io.mykit.delay.core.embedded;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real redis-server as a child process on a free loopback port, with a password that only this process knows. When it
 * dies, this class starts it again: same port, same password, no content. Thread-safe once started.
 */
public final class EmbeddedRedis implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedRedis.class);
    private static final Duration CHECK = Duration.ofSeconds(1);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private static final int START_ATTEMPTS = 3;

    private final Path dir;
    private final String password;
    private final LoopRunner watch = new LoopRunner("embedded-redis-watch", this::restartIfDead, BACKOFF);
    private Path binary;
    private int port;
    private volatile RedisProcess running;
    private volatile boolean closed;

    public EmbeddedRedis(Path dataDir) {
        this.dir = dataDir.resolve("redis");
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        this.password = HexFormat.of().formatHex(random);
    }

    /** The settings with which clients connect to it, by configuration key. */
    public Map<String, String> settings() {
        return Map.of("mykit.delay.redis.uri", "redis://:" + password + "@127.0.0.1:" + port + "/0");
    }

    public int port() {
        return port;
    }

    /** The process that runs now. Each restart makes a new one. */
    public long pid() {
        return running.process().pid();
    }

    /**
     * @throws StartException if Redis cannot start
     */
    @Override
    public void start() {
        try {
            Files.createDirectories(dir);
            RedisProcess.killOrphan(RedisBinary.in(dir));
            binary = RedisBinary.copyInto(dir);
            startOnAFreePort();
        } catch (IOException e) {
            throw new StartException("the embedded Redis cannot start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartException("interrupted while the embedded Redis was starting", e);
        }
        watch.start();
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        RedisProcess current = running;
        if (current != null) {
            current.stop();
        }
    }

    private void startOnAFreePort() throws IOException, InterruptedException {
        for (int attempt = 1; running == null; attempt++) {
            port = freePort();
            try {
                running(RedisProcess.start(binary, port, password));
            } catch (IOException e) {
                // Another process may have taken the port between the check and the bind of Redis.
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Duration restartIfDead() throws IOException, InterruptedException {
        if (!running.isAlive() && !closed) {
            LOG.warn(
                    "The embedded Redis died with exit code {}; the server starts it again, empty, and"
                            + " refills it from the database",
                    running.process().exitValue());
            running(RedisProcess.start(binary, port, password));
        }
        return CHECK;
    }

    private void running(RedisProcess started) {
        running = started;
        CompletableFuture<Void> unused = started.process().onExit().thenRun(watch::wake);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
