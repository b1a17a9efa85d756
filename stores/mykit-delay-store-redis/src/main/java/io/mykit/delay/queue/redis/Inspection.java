package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Checks the settings of a server that only an operator changes: the rights of the bridge's user, and the policy for a full
 * memory. It reads the use of the memory, too. It does so once for each connection, and twice a minute. The thread of {@link Upkeep} uses it.
 */
final class Inspection {
    private static final Logger LOG = LoggerFactory.getLogger(Inspection.class);
    private static final long EVERY_NANOS = Duration.ofSeconds(30).toNanos();
    private static final String NO_EVICTION = "noeviction";

    /**
     * Returns the first command of the bridge that the user may not run, or an empty text. Redis reports rights from 7.0
     * on. Without a right, a script would fail half way, and its writes up to there would stay.
     */
    private static final RedisScript RIGHTS = new RedisScript("rights", """
            if not redis.acl_check_cmd then return '' end
            for line in string.gmatch(ARGV[2], '[^,]+') do
              local words = {}
              for word in string.gmatch(line, '%S+') do
                words[#words + 1] = word == 'K' and KEYS[1] or word
              end
              if not redis.acl_check_cmd(unpack(words)) then return words[1] end
            end
            if not redis.acl_check_cmd('publish', ARGV[1], '') then return 'publish to ' .. ARGV[1] end
            if not redis.acl_check_cmd('subscribe', ARGV[1]) then return 'subscribe to ' .. ARGV[1] end
            return ''
            """);
    /**
     * The commands of the scripts and of {@link RedisCall#command}; a test compares this list with them. Each command has
     * the arguments that it needs, K for a key. EVALSHA is missing on purpose: Redis 7.0 crashes when it checks an EVALSHA
     * with too few arguments.
     */
    static final List<String> COMMANDS = List.of(
            "del K",
            "exists K",
            "expire K 1",
            "get K",
            "hdel K x",
            "hexists K x",
            "hget K x",
            "hlen K",
            "hmget K x",
            "hscan K 0",
            "hset K x x",
            "llen K",
            "lpush K x",
            "lrange K 0 0",
            "ltrim K 0 0",
            "pexpireat K 1",
            "rpush K x",
            "sadd K x",
            "set K x",
            "setnx K x",
            "smembers K",
            "srem K x",
            "sscan K 0",
            "unlink K",
            "zadd K 1 x",
            "zcard K",
            "zmscore K x",
            "zrange K 0 0",
            "zrangebyscore K 0 0",
            "zrem K x",
            "zremrangebyrank K 0 0",
            "zremrangebyscore K 0 0",
            "zscan K 0",
            "zscore K x");

    private final LongSupplier nanoTime;
    private final byte[] channel;
    private final Map<HostAndPort, Seen> seen = new HashMap<>();
    private volatile Map<String, String> evicting = Map.of();
    private volatile RedisMemory memory = RedisMemory.UNKNOWN;

    /** @param channel the channel on which nodes publish and listen */
    Inspection(LongSupplier nanoTime, byte[] channel) {
        this.nanoTime = nanoTime;
        this.channel = channel;
    }

    /** The {@code maxmemory-policy} of each server that may evict keys, by its address. Any thread. */
    Map<String, String> evicting() {
        return evicting;
    }

    /** The memory of all servers. Any thread. */
    RedisMemory memory() {
        return memory;
    }

    /**
     * Checks the server if the last check is too old.
     *
     * @return the missing right; null = no right is known to be missing
     * @throws redis.clients.jedis.exceptions.JedisException if the server does not answer
     */
    String look(RedisNode node, byte[] key) {
        Seen before = seen.get(node.address());
        long now = nanoTime.getAsLong();
        if (before == null || before.link() != node.probeLink() || now - before.atNanos() >= EVERY_NANOS) {
            Map<String, String> info = memoryOf(node);
            String policy = info.getOrDefault("maxmemory_policy", NO_EVICTION);
            RedisMemory used = new RedisMemory(number(info, "used_memory"), number(info, "maxmemory"));
            tell(node.address(), before == null ? NO_EVICTION : before.policy(), policy);
            before = new Seen(node.probeLink(), now, missing(node, key), policy, used);
            seen.put(node.address(), before);
            publish();
        }
        return before.missing();
    }

    /** Forgets all servers but these. */
    void retain(Set<HostAndPort> addresses) {
        if (seen.keySet().retainAll(addresses)) {
            publish();
        }
    }

    private String missing(RedisNode node, byte[] key) {
        Object answer = node.ask(
                Protocol.Command.EVAL,
                RIGHTS.text(),
                Replies.bytes(1),
                key,
                channel,
                Replies.bytes(String.join(",", COMMANDS)));
        if (answer instanceof JedisDataException refusal) {
            String told = Misfit.told(RedisUri.Mode.CLUSTER, String.valueOf(refusal.getMessage()));
            return Misfit.isMisfit(told) ? "refuses scripts: " + told : null;
        }
        String command = Replies.text(answer);
        return command.isEmpty()
                ? null
                : "refuses commands: " + Misfit.told(RedisUri.Mode.CLUSTER, "NOPERM the user may not " + command);
    }

    /** A managed Redis may forbid CONFIG GET, but it allows INFO. If INFO does not name a policy, the check passes. */
    private static Map<String, String> memoryOf(RedisNode node) {
        Map<String, String> info = new HashMap<>();
        if (node.ask(Protocol.Command.INFO, Replies.bytes("memory")) instanceof byte[] text) {
            Replies.text(text).lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
                int colon = line.indexOf(':');
                info.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
        }
        return info;
    }

    private static double number(Map<String, String> info, String name) {
        try {
            return Double.parseDouble(info.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static void tell(HostAndPort address, String before, String policy) {
        if (policy.equals(before)) {
            return;
        }
        if (policy.equals(NO_EVICTION)) {
            LOG.info("Redis {}: maxmemory-policy is {} now", address, policy);
        } else {
            LOG.warn(
                    "Redis {} has the maxmemory-policy {}: when its memory is full, it drops keys, and their messages are late."
                            + " Set it to {} (CONFIG SET maxmemory-policy {}, and in redis.conf or the parameter group)",
                    address,
                    policy,
                    NO_EVICTION,
                    NO_EVICTION);
        }
    }

    private void publish() {
        Map<String, String> found = new TreeMap<>();
        seen.forEach((address, state) -> {
            if (!state.policy().equals(NO_EVICTION)) {
                found.put(address.toString(), state.policy());
            }
        });
        evicting = Map.copyOf(found);
        memory = seen.values().stream()
                .map(Seen::memory)
                .reduce(RedisMemory::and)
                .orElse(RedisMemory.UNKNOWN);
    }

    /**
     * The last check of a server.
     *
     * @param link the connection of the check; a new connection may lead to another server, or to a restarted one
     */
    private record Seen(RedisLink link, long atNanos, String missing, String policy, RedisMemory memory) {}
}
