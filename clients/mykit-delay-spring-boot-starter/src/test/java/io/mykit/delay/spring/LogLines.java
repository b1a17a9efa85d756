package io.mykit.delay.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The lines of the client and of the starter, such as {@code INFO text}. A stack trace is {@code + } and its class. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("io.mykit.delay.client");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LogLines() {
        logger.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        String trace = line.getThrown() == null
                ? ""
                : " + " + line.getThrown().getClass().getSimpleName();
        lines.add(line.getLevel() + " " + line.getMessage() + trace);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
