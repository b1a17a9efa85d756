package io.mykit.delay.test.fault.halt;

import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.test.bucket.IndexSettings;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.store.FlowAudit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One server, its clients, its own Redis and database, and the wires to them. For one thread. */
final class Lane implements AutoCloseable {
    /** Messages due at once are more than a batch, so that they go over the ready lists as well. */
    static final int BATCH = 5;

    private final RedisServer redis;
    private final MySqlServer mysql;
    private final String databaseUrl;
    private final Map<Part, TcpProxy> wires;
    private final RedisView keys;
    private final MessageIndex index;
    private final Inbox inbox;
    private final Mortal server;
    private final Clients clients;
    private final Puller consumer;
    private final String name;

    /** @param horizon of the queue, as in its settings */
    Lane(String name, Path dir, MySqlServer mysql, ActiveMqServer broker, String horizon, Set<Point> points)
            throws IOException {
        this.name = name;
        this.mysql = mysql;
        redis = RedisServer.start(dir.resolve("redis"), "");
        databaseUrl = mysql.freshDatabase("halt_" + name);
        wires = Map.of(
                Part.REDIS, new TcpProxy(redis.port()),
                Part.MYSQL, new TcpProxy(mysql.port()),
                Part.BROKER, new TcpProxy(broker.port()));
        IndexSettings own = new IndexSettings(redis.uri(), "halt-" + name);
        index = own.open();
        keys = new RedisView(List.of(redis), own.prefix(), own.name(), own.buckets());
        inbox = ActiveMqInbox.ofQueue(broker.url(), topic());
        server = new Mortal(name, dir, settings(own, horizon), points);
        clients = new Clients(server, topic());
        consumer = new Puller(clients, pulledTopic());
    }

    Mortal server() {
        return server;
    }

    RedisServer redis() {
        return redis;
    }

    MessageIndex index() {
        return index;
    }

    RedisView keys() {
        return keys;
    }

    Inbox inbox() {
        return inbox;
    }

    Clients clients() {
        return clients;
    }

    Puller consumer() {
        return consumer;
    }

    String databaseUrl() {
        return databaseUrl;
    }

    /** Waits until the messages outside the ledger have been delivered and forgotten, and makes their rows old. */
    void ageUnseen() {
        List<String> ids = clients.takeUnseen();
        await().atMost(Duration.ofSeconds(10))
                .until(() ->
                        FlowAudit.of(databaseUrl).rows("status = 3 AND id LIKE '" + Clients.OLD + "%'") == ids.size()
                                && index.locate(ids).isEmpty());
        mysql.execute(
                "USE halt_" + name,
                "UPDATE mykit_delay_queue_job SET due_time = due_time - 691200000, update_time = update_time - INTERVAL 8 DAY"
                        + " WHERE id LIKE '" + Clients.OLD + "%'");
    }

    void become(Part part, Weather weather) {
        wires.get(part).become(weather);
    }

    void healWires() {
        wires.values().forEach(wire -> wire.become(Weather.FAIR));
    }

    @Override
    public void close() {
        server.close();
        inbox.close();
        index.close();
        wires.values().forEach(TcpProxy::close);
        redis.close();
    }

    private Map<String, String> settings(IndexSettings own, String horizon) {
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", "redis://127.0.0.1:" + wires.get(Part.REDIS).port() + "/0");
        settings.put(
                "datasource.url",
                databaseUrl.replace(
                        ":" + mysql.port() + "/", ":" + wires.get(Part.MYSQL).port() + "/"));
        settings.put("datasource.username", MySqlServer.USER);
        // Long enough that a slow part is not taken for one that was cut off.
        settings.put("datasource.timeout", "5s");
        settings.put("delivery.send-timeout", "10s");
        settings.put(
                "activemq.broker-url",
                "tcp://127.0.0.1:" + wires.get(Part.BROKER).port());
        settings.put("intake.lanes", "2");
        settings.put("queue.prefix", own.prefix());
        settings.put("queue.name", own.name());
        settings.put("queue.buckets", Integer.toString(own.buckets()));
        settings.put("queue.horizon", horizon);
        settings.put("queue.idle-poll", "200ms");
        settings.put("delivery.batch-size", Integer.toString(BATCH));
        settings.put("delivery.retry-min", "100ms");
        settings.put("delivery.retry-max", "200ms");
        settings.put("delivery.topics." + pulledTopic(), "pull");
        settings.put("recovery.interval", "100ms");
        settings.put("recovery.grace", "200ms");
        return settings;
    }

    private String topic() {
        return "halt-" + name;
    }

    private String pulledTopic() {
        return "pulled-" + name;
    }
}
