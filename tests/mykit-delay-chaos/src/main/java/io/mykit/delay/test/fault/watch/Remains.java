package io.mykit.delay.test.fault.watch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.redis.MessageCodec;
import io.mykit.delay.queue.bucket.redis.StoredIds;
import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.fault.history.Copy;
import io.mykit.delay.test.fault.history.Dead;
import io.mykit.delay.test.fault.history.Index;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.server.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The contents of the stores at this moment. */
public final class Remains {

    private Remains() {}

    /** All rows, by id. */
    public static Map<String, Row> rows(Rig rig) throws SQLException {
        return rows(rig.databaseUrl());
    }

    /** The same for any database of this project. */
    public static Map<String, Row> rows(String databaseUrl) throws SQLException {
        Map<String, Row> found = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(databaseUrl, MySqlServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id, topic, status, attempts, version, COALESCE(first_due, due_time), due_time, ttl,"
                                + " body FROM mykit_delay_queue_job")) {
            while (rows.next()) {
                Row row = new Row(
                        rows.getString(1),
                        rows.getString(2),
                        MessageStatus.ofCode(rows.getInt(3)),
                        rows.getInt(4),
                        rows.getInt(5),
                        rows.getLong(6),
                        rows.getLong(7),
                        rows.getLong(8),
                        rows.getString(9));
                found.put(row.id(), row);
            }
        }
        return found;
    }

    /** The table of dead letters. */
    public static List<Dead> dead(String databaseUrl) throws SQLException {
        List<Dead> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(databaseUrl, MySqlServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id, topic, reason, attempts FROM mykit_delay_queue_dead")) {
            while (rows.next()) {
                found.add(new Dead(rows.getString(1), rows.getString(2), rows.getString(3), rows.getInt(4)));
            }
        }
        return found;
    }

    /** All buckets. */
    public static Index index(Rig rig) {
        RedisView view = rig.index();
        Set<String> keys = view.keys();
        Map<String, Copy> all = new HashMap<>();
        Map<String, String> empty = new HashMap<>();
        List<String> orphans = new ArrayList<>();
        for (int b = 0; b < Rig.BUCKETS; b++) {
            Map<String, String> places = new HashMap<>();
            place(view, view.key(b, "lease"), places, orphans, "ZRANGE");
            String waiting = view.key(b, "waiting:");
            String ready = view.key(b, "ready:");
            for (String key : keys) {
                if (key.startsWith(waiting)) {
                    place(view, key, places, orphans, "ZRANGE");
                }
                if (key.startsWith(ready)) {
                    place(view, key, places, orphans, "LRANGE");
                }
            }
            Map<String, Copy> pool = pool(view, b);
            pool.keySet().stream()
                    .filter(id -> !places.containsKey(id))
                    .forEach(id -> orphans.add(id + ": in no place"));
            places.keySet().removeAll(pool.keySet());
            places.forEach((id, key) -> {
                if (key.startsWith(waiting)) {
                    empty.put(id, key);
                } else {
                    orphans.add(id + ": in " + key + " without a message");
                }
            });
            ids(view.run("HKEYS", view.key(b, "parked"))).forEach(id -> orphans.add(id + ": outcome is parked"));
            all.putAll(pool);
        }
        return new Index(Map.copyOf(all), Map.copyOf(empty), List.copyOf(orphans));
    }

    /** The messages of all buckets, by id. */
    public static Map<String, Copy> pool(RedisView view) {
        Map<String, Copy> all = new HashMap<>();
        for (int b = 0; b < view.buckets(); b++) {
            all.putAll(pool(view, b));
        }
        return all;
    }

    private static Map<String, Copy> pool(RedisView view, int bucket) {
        Map<String, Copy> pool = new HashMap<>();
        Iterator<?> reply = ((List<?>) view.run("HGETALL", view.key(bucket, "pool"))).iterator();
        while (reply.hasNext()) {
            String id = StoredIds.text(reply.next());
            DelayMessage message = MessageCodec.decode(id, (byte[]) reply.next());
            pool.put(id, new Copy(message.version(), message.dueTimeMs(), message.body()));
        }
        return pool;
    }

    private static List<String> ids(Object reply) {
        return ((List<?>) reply).stream().map(StoredIds::text).toList();
    }

    private static void place(
            RedisView view, String key, Map<String, String> places, List<String> orphans, String command) {
        List<String> ids = new ArrayList<>(ids(view.run(command, key, "0", "-1")));
        ids.remove(RedisView.NO_LEASE);
        for (String id : ids) {
            String other = places.put(id, key);
            if (other != null) {
                orphans.add(id + ": in " + other + " and in " + key);
            }
        }
    }
}
