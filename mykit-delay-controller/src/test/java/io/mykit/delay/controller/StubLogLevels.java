package io.mykit.delay.controller;

import io.mykit.delay.controller.log.LogLevels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Answers with what it was asked. */
final class StubLogLevels implements LogLevels {
    @Override
    public List<LoggerLevel> list() {
        return List.of(new LoggerLevel("io.mykit.delay", "info", Optional.empty()));
    }

    @Override
    public LoggerLevel change(String logger, String level, Duration time) {
        return new LoggerLevel(logger, level, Optional.of(StubBackend.NOW + time.toMillis()));
    }

    @Override
    public LoggerLevel reset(String logger) {
        return new LoggerLevel(logger, "info", Optional.empty());
    }
}
