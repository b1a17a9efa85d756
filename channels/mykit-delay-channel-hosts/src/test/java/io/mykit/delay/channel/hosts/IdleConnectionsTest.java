package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {
    private static final int MAX_OPEN = 8;

    private final IdleConnections connections = new IdleConnections(MAX_OPEN);
    private final List<Integer> closed = new ArrayList<>();
    private int opened;

    @Test
    void theOneThatWasIdleForTheLongestTimeIsClosed() {
        List<HttpConnection> all = new ArrayList<>();
        for (int i = 0; i < MAX_OPEN; i++) {
            all.add(open());
        }
        all.forEach(connections::taken);
        all.forEach(connections::left);
        connections.taken(all.get(0));
        assertThat(closed).isEmpty();

        connections.taken(open());
        assertThat(closed).containsExactly(1);
        connections.taken(open());
        assertThat(closed).containsExactly(1, 2);
    }

    @Test
    void aConnectionWithRequestsStays() {
        List<HttpConnection> all = new ArrayList<>();
        for (int i = 0; i <= MAX_OPEN; i++) {
            all.add(open());
            connections.taken(all.get(i));
            connections.taken(all.get(i));
        }
        connections.left(all.get(7));
        assertThat(closed).isEmpty();
        connections.left(all.get(7));
        assertThat(closed).containsExactly(7);
    }

    /** A connection that knows its number. */
    private HttpConnection open() {
        int number = opened++;
        List<Handler<Void>> ends = new ArrayList<>();
        HttpConnection connection = (HttpConnection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {HttpConnection.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "closeHandler" -> ends.add(ended(arguments[0]));
                        case "close" -> {
                            closed.add(number);
                            ends.forEach(end -> end.handle(null));
                        }
                        case "hashCode" -> {
                            return number;
                        }
                        case "equals" -> {
                            return self == arguments[0];
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return method.getName().equals("closeHandler") ? self : null;
                });
        connections.opened(connection);
        return connection;
    }

    @SuppressWarnings("unchecked")
    private static Handler<Void> ended(Object handler) {
        return (Handler<Void>) handler;
    }
}
