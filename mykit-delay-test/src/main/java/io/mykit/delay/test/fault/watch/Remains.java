package io.mykit.delay.test.fault.watch;

import static io.mykit.delay.test.bucket.RedisView.texts;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.bucket.RedisView;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is in the stores at this moment. */
public final class Remains {

    private Remains() {}

    /** All rows, by id. */
    public static Map<String, Row> rows(Rig rig) throws SQLException {
        return rows(rig.databaseUrl());
    }

    /** The same, of any database of ours. */
    public static Map<String, Row> rows(String databaseUrl) throws SQLException {
        Map<String, Row> found = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(databaseUrl, MySqlServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, status, attempts FROM mykit_delay_queue_job")) {
            while (rows.next()) {
                String id = rows.getString(1);
                found.put(id, new Row(id, MessageStatus.ofCode(rows.getInt(2)), rows.getInt(3)));
            }
        }
        return found;
    }

    /** All buckets. */
    public static Index index(Rig rig) {
        RedisView view = rig.index();
        Set<String> keys = view.keys();
        Set<String> all = new HashSet<>();
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
            List<String> pool = texts(view.run("HKEYS", view.key(b, "pool")));
            pool.stream().filter(id -> !places.containsKey(id)).forEach(id -> orphans.add(id + ": in no place"));
            Set<String> known = new HashSet<>(pool);
            places.forEach((id, key) -> {
                if (!known.contains(id)) {
                    orphans.add(id + ": in " + key + " without a message");
                }
            });
            texts(view.run("HKEYS", view.key(b, "parked"))).forEach(id -> orphans.add(id + ": outcome is parked"));
            all.addAll(pool);
        }
        return new Index(Set.copyOf(all), List.copyOf(orphans));
    }

    private static void place(
            RedisView view, String key, Map<String, String> places, List<String> orphans, String command) {
        for (String id : texts(view.run(command, key, "0", "-1"))) {
            String other = places.put(id, key);
            if (other != null) {
                orphans.add(id + ": in " + other + " and in " + key);
            }
        }
    }
}
