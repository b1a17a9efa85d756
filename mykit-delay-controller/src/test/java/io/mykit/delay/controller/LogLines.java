package io.mykit.delay.controller;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Listens to one logger at level INFO until it is closed. Thread-safe. */
final class LogLines implements AutoCloseable {
    private final Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger;
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event);
        }
    };

    LogLines(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
    }

    /** The lines so far, the oldest first. Later lines come into it. */
    Queue<ILoggingEvent> queue() {
        return lines;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(null);
    }
}
