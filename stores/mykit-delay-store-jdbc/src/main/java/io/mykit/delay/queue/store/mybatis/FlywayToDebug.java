package io.mykit.delay.queue.store.mybatis;

import org.flywaydb.core.api.logging.Log;
import org.flywaydb.core.api.logging.LogCreator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the logs of Flyway to lower levels, because Flyway logs much and also throws its failures. Public because
 * Flyway creates it by its name.
 */
public final class FlywayToDebug implements LogCreator {
    @Override
    public Log createLogger(Class<?> type) {
        Logger log = LoggerFactory.getLogger(type);
        return new Log() {
            @Override
            @SuppressWarnings("deprecation")
            public boolean isDebugEnabled() {
                return log.isTraceEnabled();
            }

            @Override
            public void debug(String message) {
                log.trace(message);
            }

            @Override
            public void info(String message) {
                log.debug(message);
            }

            @Override
            public void warn(String message) {
                log.debug(message);
            }

            @Override
            public void error(String message) {
                log.debug(message);
            }

            @Override
            public void error(String message, Exception e) {
                log.debug(message, e);
            }

            @Override
            public void notice(String message) {
                log.debug(message);
            }
        };
    }
}
