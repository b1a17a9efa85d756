package io.mykit.delay.core;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.core.embedded.EmbeddedParts;
import io.mykit.delay.core.log.ProcessLog;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The main class: one server is one process. */
public final class MykitDelayServer {
    static final int OK = 0;
    static final int CANNOT_START = 1;
    static final int BAD_CONFIGURATION = 2;
    /** The JVM has the same one after an OutOfMemoryError: this process cannot go on, and a new one can. */
    private static final int NEEDS_A_NEW_PROCESS = 3;

    private MykitDelayServer() {}

    /** Runs until a signal stops the process (SIGTERM, Ctrl-C). */
    public static void main(String[] args) throws InterruptedException {
        if (args.length > 0 && args[0].equals(TokenCommand.NAME)) {
            ProcessLog.onlyWarnings();
            System.exit(TokenCommand.run(List.of(args).subList(1, args.length), System.out, System.err));
        }
        try {
            CommandLine commandLine = CommandLine.parse(args);
            if (commandLine.help()) {
                print(System.out, Help.text());
            } else if (commandLine.version()) {
                print(System.out, "mykit-delay " + version());
            } else {
                run(ConfigLoader.load(commandLine));
            }
        } catch (ConfigException e) {
            print(System.err, "mykit-delay cannot start: " + e.getMessage());
            System.exit(BAD_CONFIGURATION);
        }
    }

    private static void run(LoadedConfig loaded) throws InterruptedException {
        long begin = System.nanoTime();
        DelayConfig config = loaded.config();
        ProcessLog processLog = ProcessLog.begin(config.log(), config.queue().name(), version());
        Logger log = LoggerFactory.getLogger(MykitDelayServer.class);
        loaded.warnings().forEach(log::warn);
        EmbeddedParts.warnings(loaded).forEach(log::warn);
        AtomicReference<Stop> ending = new AtomicReference<>();
        Wiring wiring = new Wiring(loaded, version(), processLog, dead -> end(ending.get(), processLog, dead));
        Stop stop = new Stop(wiring, config.stop().timeout(), processLog);
        ending.set(stop);
        Runtime.getRuntime().addShutdownHook(new Thread(stop, "stop"));
        try {
            wiring.start();
            stop.started();
            long tookMs = Duration.ofNanos(System.nanoTime() - begin).toMillis();
            processLog.tell("mykit-delay " + version() + ", started in " + tookMs + " ms, "
                    + String.join("\n", wiring.describe()));
        } catch (RuntimeException | LinkageError e) {
            // A signal during the start made it fail, and the shutdown hook already closes the services.
            if (!stop.isAsked()) {
                int code = e instanceof ConfigException ? BAD_CONFIGURATION : CANNOT_START;
                stop.exitCode(code);
                processLog.complain(StartFailure.report(e, config.dataDir()));
                System.exit(code);
            }
        }
        new CountDownLatch(1).await();
    }

    private static void end(Stop stop, ProcessLog processLog, List<String> dead) {
        stop.exitCode(NEEDS_A_NEW_PROCESS);
        processLog.complain("mykit-delay ends, because only a new process brings back its loops " + dead);
        // Not on the thread of the loop that found it: the hook closes that loop.
        Threads.daemon("end", () -> System.exit(NEEDS_A_NEW_PROCESS)).start();
    }

    /** The version in the manifest of the jar. */
    private static String version() {
        String version = MykitDelayServer.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    private static void print(PrintStream to, String text) {
        to.println(text);
    }

    /** The shutdown hook: it closes all services within a bounded time and decides the exit code. */
    private static final class Stop implements Runnable {
        private final Wiring wiring;
        private final Duration timeout;
        private final ProcessLog processLog;
        private volatile boolean asked;
        private volatile boolean started;
        private volatile int exitCode = OK;

        Stop(Wiring wiring, Duration timeout, ProcessLog processLog) {
            this.wiring = wiring;
            this.timeout = timeout;
            this.processLog = processLog;
        }

        boolean isAsked() {
            return asked;
        }

        void started() {
            started = true;
        }

        void exitCode(int code) {
            exitCode = code;
        }

        @Override
        public void run() {
            asked = true;
            Logger log = LoggerFactory.getLogger(MykitDelayServer.class);
            if (started) {
                log.info(
                        "Stopping: takes no new message for delivery, serves requests for at least {} ms (http.drain),"
                                + " and waits for the messages that are being sent; all within {} s (stop.timeout). A"
                                + " second signal ends the waits",
                        wiring.drainPeriod().toMillis(),
                        timeout.toSeconds());
                SecondSignal.handle(wiring::hurry);
            } else {
                log.info("Stopping");
            }
            Thread closing = Threads.daemon("close", wiring::close);
            closing.start();
            try {
                closing.join(timeout.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (closing.isAlive()) {
                processLog.complain("mykit-delay did not stop within " + timeout.toSeconds()
                        + " s (stop.timeout) and gives up waiting");
            } else if (exitCode == OK) {
                if (started) {
                    ClassArchive.writeIfAskedFor();
                }
                processLog.tell("mykit-delay stopped");
            }
            // The JVM would exit with 128 + the signal, which looks like a failure. A requested stop is no failure.
            Runtime.getRuntime().halt(closing.isAlive() ? CANNOT_START : exitCode);
        }
    }
}
