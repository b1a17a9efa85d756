package io.mykit.delay.test.http;

import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.SharedServers;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The packaged server on the shared MySQL and Redis, with a database and a queue of its own. */
final class HttpFixture implements AutoCloseable {
    private final DelayServer server;
    private final Stores stores;

    /** @param name of database and queue, with underscores */
    HttpFixture(String name, Path dir, Map<String, String> more) {
        this(name, dir, more, DelayServer.SHORT_LIVED);
    }

    /** @param javaOptions as in JAVA_OPTS */
    HttpFixture(String name, Path dir, Map<String, String> more, String javaOptions) {
        String url = SharedServers.mysql().freshDatabase(name);
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", SharedServers.redis().uri());
        settings.put("datasource.url", url);
        settings.put("datasource.username", "root");
        settings.put("queue.name", name);
        settings.put("delivery.default-channel", "console");
        settings.putAll(more);
        server = DelayServer.start(name, dir, settings, javaOptions);
        stores = new Stores(url, name);
        stores.awaitLeader();
    }

    RawHttp http() {
        return new RawHttp(server.port());
    }

    DelayClient client() {
        return server.client();
    }

    DelayServer server() {
        return server;
    }

    Stores stores() {
        return stores;
    }

    @Override
    public void close() {
        try (stores) {
            server.close();
        }
    }
}
