package io.mykit.delay.controller.log;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The levels of this node's loggers. Thread-safe; does not block. */
public interface LogLevels {
    /** The levels that a logger can have, in lower case. */
    List<String> NAMES = List.of("error", "warn", "info", "debug", "trace");

    /** The loggers of the server that have a level of their own, in order of their names. */
    List<LoggerLevel> list();

    /** Gives a logger another level for a time. After it the logger has the level that it had before the first change. */
    LoggerLevel change(String logger, String level, Duration time);

    /** Ends a change at once. */
    LoggerLevel reset(String logger);

    /**
     * One logger.
     *
     * @param level in lower case
     * @param endMs the end of a change, in epoch milliseconds; empty = the level is not changed
     */
    record LoggerLevel(String logger, String level, Optional<Long> endMs) {}
}
