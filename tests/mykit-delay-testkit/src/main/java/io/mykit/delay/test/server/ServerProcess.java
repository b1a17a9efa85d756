package io.mykit.delay.test.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * An operating system process of the harness. Its output goes to a log file; it never outlives this JVM. Thread-safe.
 */
public final class ServerProcess implements AutoCloseable {
    /** Within it a server has to answer, also on a busy machine: starts that usually take 4 s took more than a minute there. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);

    private static final int LAUNCH_TRIES = 100;
    private static final long LAUNCH_PAUSE_NANOS = 20_000_000;
    private static final Set<ServerProcess> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(ServerProcess::kill), "kill-servers"));
    }

    private final Process process;
    private final Path log;
    private final ClassArchive classes;

    private ServerProcess(Process process, Path log, ClassArchive classes) {
        this.process = process;
        this.log = log;
        this.classes = classes;
    }

    /**
     * A program that was just unpacked cannot be run while it is open for writing in a child that another thread is about to
     * start: that child inherited the file, and lets go of it in a moment.
     */
    private static Process launch(ProcessBuilder builder) throws IOException {
        for (int left = LAUNCH_TRIES; ; left--) {
            try {
                return builder.start();
            } catch (IOException e) {
                if (left == 0 || !("" + e.getMessage()).contains("Text file busy")) {
                    throw e;
                }
                LockSupport.parkNanos(LAUNCH_PAUSE_NANOS);
            }
        }
    }

    /**
     * Starts a process.
     *
     * @param name names the log file {@code <dir>/<name>.log}, which is appended to
     * @param dir its working directory; created if it is missing
     * @param environment added to this process's own
     */
    public static ServerProcess start(String name, Path dir, List<String> command, Map<String, String> environment) {
        return start(name, dir, command, environment, ClassArchive.NONE);
    }

    /** Starts a Java server on this JVM's own class path, with the {@link ClassArchive} of its main class. */
    static ServerProcess startJava(
            String name, Path dir, List<String> jvmOptions, String mainClass, List<String> arguments) {
        ClassArchive classes = ClassArchive.of(mainClass);
        List<String> options =
                Stream.concat(jvmOptions.stream(), classes.options().stream()).toList();
        return start(name, dir, java(options, classes.classPath(), mainClass, arguments), Map.of(), classes);
    }

    private static ServerProcess start(
            String name, Path dir, List<String> command, Map<String, String> environment, ClassArchive classes) {
        try {
            Files.createDirectories(dir);
            Path log = dir.resolve(name + ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(dir.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().putAll(environment);
            Process process = launch(builder);
            process.getOutputStream().close();
            ServerProcess started = new ServerProcess(process, log, classes);
            RUNNING.add(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** Command for a Java process from this JVM's own class path. */
    public static List<String> java(List<String> jvmOptions, String mainClass, List<String> arguments) {
        return java(jvmOptions, System.getProperty("java.class.path"), mainClass, arguments);
    }

    private static List<String> java(
            List<String> jvmOptions, String classPath, String mainClass, List<String> arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(List.of(java), jvmOptions, List.of("-cp", classPath, mainClass), arguments)
                .flatMap(List::stream)
                .toList();
    }

    /** Waits until the server that was just started answers, as {@link #awaitReady(Duration, Callable)}. */
    public ServerProcess awaitReady(Callable<Boolean> ready) {
        return awaitReady(START_TIMEOUT, ready);
    }

    /**
     * Waits until the server answers.
     *
     * @param ready true when it does; an exception counts as "not yet"
     * @throws IllegalStateException with the end of the log, if the process died or the time ran out
     */
    public ServerProcess awaitReady(Duration timeout, Callable<Boolean> ready) {
        long deadline = System.nanoTime() + timeout.toNanos();
        Exception last = null;
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                if (ready.call()) {
                    classes.record(pid());
                    return this;
                }
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            } catch (Exception e) {
                last = e;
                sleepABit();
            }
        }
        String state = process.isAlive() ? "is not ready after " + timeout : "died with " + process.exitValue();
        IllegalStateException failure =
                new IllegalStateException("server " + state + "; end of its log:\n" + logTail());
        if (last != null) {
            failure.addSuppressed(last);
        }
        close();
        throw failure;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to stop (SIGTERM) and waits. */
    public int stop(Duration timeout) {
        process.destroy();
        if (!waitFor(timeout)) {
            throw new IllegalStateException("process " + pid() + " did not stop within " + timeout + "\n" + logTail());
        }
        classes.close();
        RUNNING.remove(this);
        return process.exitValue();
    }

    /** SIGTERM, and returns at once. */
    public void terminate() {
        process.destroy();
    }

    /** Waits until it has ended; false if it did not within the timeout. */
    public boolean awaitEnd(Duration timeout) {
        return waitFor(timeout);
    }

    /** Once it has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** SIGKILL, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        waitFor(Duration.ofSeconds(10));
        classes.close();
        RUNNING.remove(this);
    }

    /** SIGSTOP. */
    public void freeze() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void thaw() {
        signal("CONT");
    }

    /** All it printed so far. */
    public String log() {
        return log(0);
    }

    /** All it printed so far but for so many bytes of the beginning. */
    String log(long bytes) {
        try (InputStream input = Files.newInputStream(log)) {
            input.skipNBytes(bytes);
            return new String(input.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid() + " answered " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean waitFor(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String logTail() {
        String all = log();
        return all.substring(Math.max(0, all.length() - 4000));
    }

    private static void sleepABit() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
