package io.mykit.delay.test.server;

/** A broker of AMQP 0-9-1 as a process of its own, with the account guest. For one thread at a time. */
public interface AmqpBroker extends AutoCloseable {
    int port();

    /** {@code 127.0.0.1:port}. */
    default String address() {
        return "127.0.0.1:" + port();
    }

    /** Starts it (again) on the same port and data; returns when a client was let in. */
    void restart();

    /** SIGKILL. */
    void kill();

    void freeze();

    void thaw();

    @Override
    void close();
}
