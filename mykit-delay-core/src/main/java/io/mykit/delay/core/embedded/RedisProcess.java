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
     * Starts it and waits until it answers.
     *
     * @throws IOException if it does not
     */
    static RedisProcess start(Path binary, int port, String password) throws IOException, InterruptedException {
        Path dir = binary.getParent();
        Path log = dir.resolve("redis.log");
        Process process = new ProcessBuilder(command(binary))
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        // From here on a crash of ours leaves an orphan; the pid file is how the next start finds it.
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
     * Kills what a killed predecessor left running. Only with the data directory locked.
     *
     * @param binary our copy of redis-server: nothing else is ever killed, whatever the pid file says
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
                    "killing redis-server {}, left behind by a server that was killed",
                    orphan.get().pid());
            orphan.get().destroyForcibly();
            // It holds no port or file that the new one needs, so its end is not waited for.
        }
        Files.delete(pidFile);
    }

    /**
     * "-" = the configuration comes by stdin: on the command line everybody could read the password. Ctrl-C goes to
     * every process of the terminal's group; in a session of its own Redis is spared, and we can still settle with it
     * what is in flight. Where there is no setsid (macOS) a stop by Ctrl-C is a stop without Redis.
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
            // Half-written by a crash.
            return Optional.empty();
        }
    }

    /** Nothing is kept on disk: the store is the truth, and the leader rebuilds the index from it. */
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

    /** That it takes our password tells it apart from a stranger on the same port. */
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
