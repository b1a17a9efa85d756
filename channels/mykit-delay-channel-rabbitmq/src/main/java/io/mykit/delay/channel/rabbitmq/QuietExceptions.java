package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the client's own view of a lost connection at debug, because each loss also ends the sends of a batch with its reason. An
 * exception of this package's listeners is logged as a warning. Stateless.
 */
final class QuietExceptions extends ForgivingExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(QuietExceptions.class);

    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
        LOG.debug("A connection to RabbitMQ was lost", exception);
    }

    @Override
    protected void log(String message, Throwable e) {
        LOG.warn("The RabbitMQ client: {}", message, e);
    }
}
