package io.mykit.delay.core.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.controller.log.LogLevels;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** The levels of the loggers of Logback. Thread-safe. */
public final class LogbackLevels implements LogLevels, AutoCloseable {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogbackLevels.class);
    private static final String OWN = "io.mykit.delay";

    private final LoggerContext context;
    private final InstantSource clock;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Threads.named("log-levels"));
    /** The changed loggers by name. */
    private final Map<String, Change> changes = new HashMap<>();

    /** @param clock for the ends that callers see */
    LogbackLevels(LoggerContext context, InstantSource clock) {
        this.context = context;
        this.clock = clock;
    }

    @Override
    public synchronized List<LoggerLevel> list() {
        return context.getLoggerList().stream()
                .filter(logger -> logger.getLevel() != null)
                .filter(logger ->
                        logger.getName().equals(OWN) || logger.getName().startsWith(OWN + "."))
                .map(this::shown)
                .toList();
    }

    @Override
    public synchronized LoggerLevel change(String name, String level, Duration time) {
        Logger logger = context.getLogger(name);
        Change before = changes.get(name);
        if (before != null) {
            before.end.cancel(false);
        }
        Level former = before == null ? logger.getLevel() : before.former;
        ScheduledFuture<?> end = timer.schedule(() -> expire(name), time.toMillis(), TimeUnit.MILLISECONDS);
        changes.put(name, new Change(former, end, clock.millis() + time.toMillis()));
        logger.setLevel(Level.toLevel(level));
        return shown(logger);
    }

    @Override
    public synchronized LoggerLevel reset(String name) {
        Logger logger = context.getLogger(name);
        Change change = changes.remove(name);
        if (change != null) {
            change.end.cancel(false);
            logger.setLevel(change.former);
        }
        return shown(logger);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    private void expire(String name) {
        LoggerLevel now = reset(name);
        LOG.info("The changed level of the logger {} has ended; it is {} again", name, now.level());
    }

    private LoggerLevel shown(Logger logger) {
        return new LoggerLevel(
                logger.getName(),
                logger.getEffectiveLevel().toString().toLowerCase(Locale.ROOT),
                Optional.ofNullable(changes.get(logger.getName())).map(Change::endMs));
    }

    /** @param former the level before the first change; null = the logger had that of its parent */
    private record Change(Level former, ScheduledFuture<?> end, long endMs) {}
}
