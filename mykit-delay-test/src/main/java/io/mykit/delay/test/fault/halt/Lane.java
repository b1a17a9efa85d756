package io.mykit.delay.test.fault.halt;

import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.test.bucket.IndexSettings;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.delivery.ActiveMqInbox;
import io.mykit.delay.test.delivery.Inbox;
import io.mykit.delay.test.fault.agent.Point;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.fault.rig.Part;
import io.mykit.delay.test.fault.workload.Ledger;
import io.mykit.delay.test.fault.workload.Order;
import io.mykit.delay.test.server.ActiveMqServer;
import io.mykit.delay.test.server.MySqlServer;
import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.store.FlowAudit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** One server, its own Redis and database, wires to them, and what its clients know. For one thread. */
final class Lane implements AutoCloseable {
    /** Messages due at once are more than a batch, so that they go over the ready lists as well. */
    static final int BATCH = 5;

    private final RedisServer redis;
    private final MySqlServer mysql;
    private final String databaseUrl;
    private final Map<Part, TcpProxy> wires;
    private final BucketIndex index;
    private final Inbox inbox;
    private final Mortal server;
    private final Ledger ledger = new Ledger();
    private final String name;
    private final List<String> unseen = new ArrayList<>();
    private String prefix = "";

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
        inbox = ActiveMqInbox.ofQueue(broker.url(), topic());
        Map<String, String> settings = new HashMap<>();
        settings.put("redis.uri", "redis://127.0.0.1:" + wires.get(Part.REDIS).port() + "/0");
        settings.put(
                "datasource.url",
                databaseUrl.replace(
                        ":" + mysql.port() + "/", ":" + wires.get(Part.MYSQL).port() + "/"));
        settings.put("datasource.username", MySqlServer.USER);
        // Those that are cut off are waited for; whoever is slow is not to be taken for one of them.
        settings.put("datasource.timeout", "2s");
        settings.put("delivery.send-timeout", "10s");
        settings.put(
                "activemq.broker-url",
                "tcp://127.0.0.1:" + wires.get(Part.BROKER).port());
        settings.put("queue.prefix", own.prefix());
        settings.put("queue.name", own.name());
        settings.put("queue.bucket-size", Integer.toString(own.bucketSize()));
        settings.put("queue.horizon", horizon);
        settings.put("queue.idle-poll", "200ms");
        settings.put("delivery.batch-size", Integer.toString(BATCH));
        settings.put("delivery.retry-min", "100ms");
        settings.put("delivery.retry-max", "200ms");
        settings.put("recovery.interval", "100ms");
        settings.put("recovery.grace", "200ms");
        server = new Mortal(name, dir, settings, points);
    }

    Mortal server() {
        return server;
    }

    RedisServer redis() {
        return redis;
    }

    BucketIndex index() {
        return index;
    }

    Inbox inbox() {
        return inbox;
    }

    Ledger ledger() {
        return ledger;
    }

    String databaseUrl() {
        return databaseUrl;
    }

    void become(Part part, Weather weather) {
        wires.get(part).become(weather);
    }

    void healWires() {
        wires.values().forEach(wire -> wire.become(Weather.FAIR));
    }

    /** The messages of a round begin with its name. */
    void beginRound(String round) {
        prefix = round;
    }

    String id(int number) {
        return prefix + "-" + number;
    }

    /** Pushes messages {@code first} to {@code last}, due together. */
    void push(int first, int last, long delayMs) {
        List<Order> orders = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            orders.add(new Order(id(i), topic(), delayMs));
        }
        orders.forEach(order -> ledger.sending(order, System.currentTimeMillis()));
        repush(orders);
    }

    /** What was pushed in this round is pushed again, as by a client that was not answered. */
    void repushAll() {
        repush(ledger.pushed().values().stream()
                .filter(pushed -> pushed.id().startsWith(prefix + "-"))
                .map(pushed -> new Order(pushed.id(), pushed.topic(), pushed.delayMs()))
                .toList());
    }

    /** Pushes and nobody keeps books of it. */
    void pushUnseen(int first, int last) {
        for (int i = first; i <= last; i++) {
            Order order = new Order(OLD + id(i), topic(), 0);
            unseen.add(order.id());
            ask(client -> client.push(order.json()));
        }
    }

    /** Before the ids of what is pushed to be removed: no promise is kept to it. */
    static final String OLD = "old-";

    void cancel(int number) {
        Answer answer = ask(client -> client.delete(id(number)));
        boolean cancelled = answer != null && answer.status() == 200;
        boolean late = answer != null && "ALREADY_DISPATCHED".equals(answer.error());
        ledger.cancelAnswered(
                id(number),
                cancelled ? Answered.CANCELLED : late ? Answered.ALREADY_DISPATCHED : Answered.NOTHING_KNOWN,
                System.currentTimeMillis());
    }

    /** Which an operator will take back. */
    void cancelForNow(int number) {
        ask(client -> client.delete(id(number)));
        ledger.cancelAnswered(id(number), Answered.NOTHING_KNOWN, System.currentTimeMillis());
    }

    /** Gives the first of the round a later due time and another content. */
    void replaceFirst() {
        long laterMs = ledger.pushed().get(id(1)).delayMs() + 500;
        Map<String, Object> other =
                Map.of("id", id(1), "topic", topic(), "delay", laterMs, "body", "another body", "replace", true);
        ask(client -> client.push(other));
    }

    /** Waits until what nobody keeps books of has been delivered and forgotten, and makes it old. */
    void ageUnseen() {
        List<String> ids = List.copyOf(unseen);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> FlowAudit.of(databaseUrl).rows("status = 3 AND id LIKE '" + OLD + "%'") == ids.size()
                        && index.locate(ids).isEmpty());
        unseen.clear();
        mysql.execute(
                "USE halt_" + name,
                "UPDATE mykit_delay_queue_job SET due_time = due_time - 691200000, update_time = update_time - INTERVAL 8 DAY"
                        + " WHERE id LIKE '" + OLD + "%'");
    }

    /** An operator may cancel it or bring it back: both are legal for all that is unfinished. */
    void disclaim() {
        for (Pushed pushed : ledger.pushed().values()) {
            ledger.cancelAnswered(pushed.id(), Answered.NOTHING_KNOWN, System.currentTimeMillis());
        }
    }

    /** Null if it was not answered. */
    Answer ask(Function<DelayClient, Answer> question) {
        try {
            return question.apply(server.client());
        } catch (UncheckedIOException e) {
            return null;
        }
    }

    @Override
    public void close() {
        server.close();
        inbox.close();
        index.close();
        wires.values().forEach(TcpProxy::close);
        redis.close();
    }

    private String topic() {
        return "halt-" + name;
    }

    private void repush(List<Order> orders) {
        Answer answer =
                ask(client -> client.pushBatch(orders.stream().map(Order::json).toList()));
        if (answer == null) {
            return;
        }
        if (answer.status() != 200) {
            ledger.surprised("a batch of " + prefix + " was answered with " + answer.text());
            return;
        }
        for (int i = 0; i < orders.size(); i++) {
            if (answer.json().getJSONArray("data").getJSONObject(i).getIntValue("code") == 200) {
                ledger.acknowledged(orders.get(i).id());
            }
        }
    }
}
