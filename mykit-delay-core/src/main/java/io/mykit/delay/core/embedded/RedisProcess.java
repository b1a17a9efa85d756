package io.mykit.delay.core.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of redis-server. */
final class RedisProcess {
    private static final Logger LOG = LoggerFactory.getLogger(RedisProcess.class);
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(3);
    private static final List<String> SETSID = List.of("/usr/bin/setsid", "/bin/setsid");
    private static final String PID_FILE = "redis.pid";

    private final Process process;

    private RedisProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts redis-server and waits until it answers.
     *
     * @throws IOException if it does not answer
     */
    static RedisProcess start(Path binary, int port, String password) throws IOException, InterruptedException {
        Path dir = binary.getParent();
        Path log = dir.resolve("redis.log");
        Process process = new ProcessBuilder(command(binary))
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // From here on a crash of this process leaves redis-server running. The next start finds it by the pid file.
        Files.writeString(dir.resolve(PID_FILE), Long.toString(process.pid()));
        RedisProcess started = new RedisProcess(process);
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(configuration(port, password).getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            started.stop();
            throw new IOException("redis-server died at once, see " + log, e);
        }
        if (!started.awaitReady(port, password)) {
            started.stop();
            throw new IOException("redis-server does not answer on port " + port + ", see " + log);
        }
        return started;
    }

    /**
     * Kills the redis-server that a killed predecessor left running. The caller must hold the lock of the data directory.
     *
     * @param binary this server's copy of redis-server: no other program is ever killed, whatever the pid file says
     */
    static void killOrphan(Path binary) throws IOException {
        Path pidFile = binary.resolveSibling(PID_FILE);
        if (!Files.exists(pidFile) || !Files.exists(binary)) {
            return;
        }
        String program = binary.toRealPath().toString();
        Optional<ProcessHandle> orphan = pid(pidFile)
                .flatMap(ProcessHandle::of)
                .filter(process ->
                        process.info().command().filter(program::equals).isPresent());
        if (orphan.isPresent()) {
            LOG.info(
                    "Killing redis-server {}: a mykit-delay server that was killed left it behind",
                    orphan.get().pid());
            orphan.get().destroyForcibly();
            // The old process holds no port or file that the new one needs, so the start does not wait for its end.
        }
        Files.delete(pidFile);
    }

    /**
     * "-" = the configuration comes by stdin: on the command line every user of the machine could read the password. Ctrl-C
     * goes to every process of the terminal's group. In a session of its own Redis does not get it, so the server can still
     * settle open deliveries with Redis. Without setsid (macOS) Ctrl-C stops Redis at once, and the server stops without
     * it.
     */
    private static List<String> command(Path binary) {
        return SETSID.stream()
                .filter(program -> Files.isExecutable(Path.of(program)))
                .findFirst()
                .map(setsid -> List.of(setsid, binary.toString(), "-"))
                .orElse(List.of(binary.toString(), "-"));
    }

    Process process() {
        return process;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Optional<Long> pid(Path file) throws IOException {
        try {
            return Optional.of(Long.valueOf(Files.readString(file).strip()));
        } catch (NumberFormatException e) {
            // A crash left the file half written.
            return Optional.empty();
        }
    }

    /** Redis keeps nothing on disk: the database is the truth, and the leader rebuilds the index from it. */
    private static String configuration(int port, String password) {
        return String.join(
                "\n",
                "port " + port,
                "bind 127.0.0.1",
                "requirepass " + password,
                "databases 1",
                "save \"\"",
                "appendonly no",
                "maxmemory-policy noeviction",
                "tcp-backlog 128",
                "daemonize no",
                "");
    }

    private boolean awaitReady(int port, String password) throws InterruptedException {
        long deadline = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            if (answers(port, password)) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return false;
    }

    /** A process that accepts this password is this server's Redis and no other program on the same port. */
    private static boolean answers(int port, String password) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            socket.setSoTimeout(1000);
            socket.getOutputStream().write(("AUTH " + password + "\r\n").getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(3), StandardCharsets.US_ASCII).equals("+OK");
        } catch (IOException e) {
            return false;
        }
    }
}
