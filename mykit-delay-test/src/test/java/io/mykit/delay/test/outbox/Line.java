package io.mykit.delay.test.outbox;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** Lines of an application and of its relay at which something is killed. */
enum Line {
    /** No line. */
    NONE,
    INSERTED,
    COMMITTED,
    /** Rows are taken, and the server was not called yet. */
    TAKEN,
    /** The server has answered, and the rows are not deleted. */
    ANSWERED,
    /** The rows are deleted, and that is not committed. */
    DELETED;

    /** Connections for a relay that run something where it comes to this line. */
    DataSource watched(DataSource database, Runnable there) {
        return (DataSource) Proxy.newProxyInstance(
                Line.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> watched((Connection) method.invoke(database, arguments), there));
    }

    private Connection watched(Connection connection, Runnable there) {
        boolean[] seen = new boolean[2];
        return (Connection) Proxy.newProxyInstance(
                Line.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        String sql = (String) arguments[0];
                        seen[0] |= sql.startsWith("UPDATE") && sql.contains("tries = tries + 1");
                        seen[1] |= sql.startsWith("DELETE");
                        if (this == ANSWERED && seen[1]) {
                            there.run();
                        }
                    }
                    boolean commits = method.getName().equals("commit");
                    if (commits && this == DELETED && seen[1]) {
                        there.run();
                    }
                    try {
                        Object result = method.invoke(connection, arguments);
                        if (commits && this == TAKEN && seen[0]) {
                            there.run();
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
