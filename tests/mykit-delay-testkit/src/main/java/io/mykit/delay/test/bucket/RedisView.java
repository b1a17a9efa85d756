package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** Reads the keys of one queue directly in Redis, without the index. */
public final class RedisView {
    /** The entry among the leases that is none: the bucket has not lost its leases. */
    public static final String NO_LEASE = "";

    private final Supplier<List<RedisServer>> masters;
    private final String prefix;
    private final String layout;
    private final int buckets;

    public RedisView(List<RedisServer> masters, String prefix, String name, int buckets) {
        this(() -> masters, prefix, name, buckets);
    }

    /** @param masters asked before each look, as they may change */
    public RedisView(Supplier<List<RedisServer>> masters, String prefix, String name, int buckets) {
        this.masters = masters;
        this.prefix = prefix + ":{" + name + ":";
        this.layout = prefix + ":{" + name + "}:layout";
        this.buckets = buckets;
    }

    public int buckets() {
        return buckets;
    }

    public String key(int bucket, String what) {
        return prefix + bucket + "/" + buckets + "}:" + what;
    }

    /** Runs a command on the master that has its key. */
    public Object run(String... words) {
        for (RedisServer master : masters.get()) {
            try {
                return master.command(words);
            } catch (JedisMovedDataException e) {
                // The next one may have it.
            }
        }
        throw new IllegalStateException("no master has the key of " + String.join(" ", words));
    }

    public void onAll(String... words) {
        masters.get().forEach(master -> master.command(words));
    }

    /** Whether a leader has claimed all buckets, and the restore of the new ones has ended. */
    public boolean isRestored() {
        return marks(":epoch") == buckets && marks(":restoring") == 0;
    }

    private long marks(String key) {
        return keys().stream().filter(each -> each.endsWith(key)).count();
    }

    /** As FLUSHALL would, but sparing the other tests' keys. */
    public void loseEverything() {
        for (String key : keys()) {
            run("DEL", key);
        }
    }

    /** Every key on every master. */
    public Set<String> allKeys() {
        Set<String> keys = new TreeSet<>();
        masters.get().forEach(master -> keys.addAll(texts(master.command("KEYS", "*"))));
        return keys;
    }

    /** This queue's keys. */
    public Set<String> keys() {
        Set<String> keys = allKeys();
        keys.removeIf(key -> !key.startsWith(prefix) && !key.equals(layout));
        return keys;
    }

    /** Removes the notes of the nodes, which are in no bucket. */
    void loseNotes() {
        String ofQueue = layout.substring(0, layout.lastIndexOf(':') + 1);
        for (String key : allKeys()) {
            if (key.startsWith(ofQueue) && !key.equals(layout)) {
                run("DEL", key);
            }
        }
    }

    /** All there is, so that "nothing has changed" can be seen. */
    public Map<String, String> dump() {
        Map<String, String> dump = new TreeMap<>();
        keys().forEach(key -> dump.put(key, new String((byte[]) run("DUMP", key), StandardCharsets.ISO_8859_1)));
        return dump;
    }

    /**
     * Every message in a pool is in exactly one place, each waiting or taken id has a message, and each receipt belongs to a
     * waiting message. (An id that a purge left in a ready list has none, and is dropped when it is taken.)
     */
    public void assertNoOrphans() {
        for (int b = 0; b < buckets; b++) {
            List<String> pool = texts(run("HKEYS", key(b, "pool")));
            List<String> waiting = new ArrayList<>();
            Set<String> heads = new HashSet<>();
            List<String> leased = new ArrayList<>(texts(run("ZRANGE", key(b, "lease"), "0", "-1")));
            leased.remove(NO_LEASE);
            Set<String> ready = new HashSet<>();
            Set<String> topics = new HashSet<>();
            String readyPrefix = key(b, "ready:");
            String waitingPrefix = key(b, "waiting:");
            String heldPrefix = key(b, "held:");
            List<String> held = new ArrayList<>();
            for (String key : keys()) {
                if (key.startsWith(waitingPrefix)) {
                    waiting.addAll(texts(run("ZRANGE", key, "0", "-1")));
                    heads.add(key.substring(waitingPrefix.length()));
                }
                if (key.startsWith(heldPrefix)) {
                    held.addAll(texts(run("HKEYS", key)));
                }
                if (key.startsWith(readyPrefix)) {
                    ready.addAll(texts(run("LRANGE", key, "0", "-1")));
                    topics.add(key.substring(readyPrefix.length()));
                }
            }
            ready.retainAll(pool);
            ready.removeAll(waiting);
            ready.removeAll(leased);
            List<String> places = new ArrayList<>(waiting);
            places.addAll(leased);
            places.addAll(ready);
            assertThat(places).as("bucket %d: places", b).containsExactlyInAnyOrderElementsOf(pool);
            assertThat(waiting).as("bucket %d: held", b).containsAll(held);
            assertThat(texts(run("ZRANGE", key(b, "heads"), "0", "-1")))
                    .as("bucket %d: heads (of a removed message one may be left)", b)
                    .containsAll(heads);
            assertThat(texts(run("SMEMBERS", key(b, "topics"))))
                    .as("bucket %d: topics", b)
                    .containsExactlyInAnyOrderElementsOf(topics);
        }
    }

    public static List<String> texts(Object reply) {
        List<String> texts = new ArrayList<>();
        for (Object text : (List<?>) reply) {
            texts.add(new String((byte[]) text, StandardCharsets.UTF_8));
        }
        return texts;
    }
}
