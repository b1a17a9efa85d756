package io.mykit.delay.client.jms;

import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/** A connection whose sessions keep delayed messages from the broker. Thread-safe, as a connection is. */
final class ConnectionProxy extends JmsProxy {
    private final Supplier<Sends> sends;

    private ConnectionProxy(Connection connection, Supplier<Sends> sends) {
        super(connection);
        this.sends = sends;
    }

    /** @param sends makes those of a session */
    static Connection of(Connection connection, Supplier<Sends> sends) {
        return new ConnectionProxy(connection, sends).as(Connection.class);
    }

    @Override
    Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        Object result = pass(method, arguments);
        return result instanceof Session session ? SessionProxy.of(session, sends.get()) : result;
    }
}
