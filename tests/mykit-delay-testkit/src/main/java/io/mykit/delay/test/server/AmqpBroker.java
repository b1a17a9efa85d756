package io.mykit.delay.test.server;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** A broker of AMQP 0-9-1 as a process of its own, with the account guest. For one thread at a time. */
public interface AmqpBroker extends Breakable {
    int port();

    /** The id of the process. */
    long pid();

    /** {@code 127.0.0.1:port}. */
    default String address() {
        return "127.0.0.1:" + port();
    }

    /** Whether it lets a client in now; throws if not, or answers false. */
    static boolean letsIn(int port) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setExceptionHandler(new ForgivingExceptionHandler() {
            @Override
            protected void log(String message, Throwable e) {
                // A broker that starts closes connections; the caller tries again.
            }
        });
        try (Connection connection = factory.newConnection()) {
            return connection.isOpen();
        }
    }
}
