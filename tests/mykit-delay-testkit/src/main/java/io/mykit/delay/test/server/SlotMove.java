package io.mykit.delay.test.server;

import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.exceptions.JedisDataException;

/** The move of one slot to another master, with the calls of {@code redis-cli --cluster reshard}. For one thread. */
public final class SlotMove {
    private static final String TIMEOUT_MS = "2000";

    private final RedisCluster cluster;
    private final String slot;
    private final RedisServer from;
    private final RedisServer to;

    private SlotMove(RedisCluster cluster, String slot, RedisServer from, RedisServer to) {
        this.cluster = cluster;
        this.slot = slot;
        this.from = from;
        this.to = to;
    }

    /** Marks the slot of a key as moving to the next master. No key has moved yet. */
    public static SlotMove begin(RedisCluster cluster, String key) {
        List<RedisServer> masters = cluster.masters();
        RedisServer from = cluster.owner(key);
        RedisServer to = masters.get((masters.indexOf(from) + 1) % masters.size());
        String slot = from.command("CLUSTER", "KEYSLOT", key).toString();
        to.command("CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
        return new SlotMove(cluster, slot, from, to);
    }

    /** Moves up to so many keys; returns how many it moved. */
    public int move(int most) {
        List<?> keys = (List<?>) from.command("CLUSTER", "GETKEYSINSLOT", slot, Integer.toString(most));
        keys.forEach(key -> migrate(new String((byte[]) key, StandardCharsets.UTF_8)));
        return keys.size();
    }

    /** The new master. */
    public RedisServer to() {
        return to;
    }

    /** How many keys have not moved. */
    public long keys() {
        return (Long) from.command("CLUSTER", "COUNTKEYSINSLOT", slot);
    }

    /** Moves all other keys, and makes the new master the owner everywhere. The target learns of it first. */
    public void end() {
        int moved;
        do {
            moved = move(10);
        } while (moved > 0);
        String owner = id(to);
        to.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
        cluster.masters().stream()
                .filter(master -> master != to)
                .forEach(master -> master.command("CLUSTER", "SETSLOT", slot, "NODE", owner));
    }

    /** A key that both have is the source's, as with {@code --cluster-replace}. */
    private void migrate(String key) {
        try {
            from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", TIMEOUT_MS);
        } catch (JedisDataException e) {
            if (!e.getMessage().contains("BUSYKEY")) {
                throw e;
            }
            from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", TIMEOUT_MS, "REPLACE");
        }
    }

    private static String id(RedisServer node) {
        return new String((byte[]) node.command("CLUSTER", "MYID"), StandardCharsets.UTF_8);
    }
}
