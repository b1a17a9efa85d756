package io.mykit.delay.test.server;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A master, a replica of it, and three sentinels that fail over fast: a silence of half a second is a death, if nothing else is said. With a password, the
 * sentinels and the replica log in as users of their own, so that a server can be cut off from them and still serve its clients.
 */
public final class RedisSentinel implements AutoCloseable {
    private static final String MASTER = "mykit";
    private static final int SENTINELS = 3;
    private static final Duration DOWN_AFTER = Duration.ofMillis(500);
    /** Until {@link #hasten}. */
    public static final Duration PATIENT = Duration.ofMinutes(1);

    private static final String FAILOVER_TIMEOUT_MS = "2000";
    private static final List<String> PEERS = List.of("sentinel", "replica");
    /** A master that died and is back is made a replica after eight seconds. */
    private static final Duration WHOLE = Duration.ofSeconds(30);

    private final List<RedisServer> servers;
    private final List<RedisServer> sentinels;
    private final String password;
    private final Duration downAfter;

    private RedisSentinel(List<RedisServer> servers, List<RedisServer> sentinels, String password, Duration downAfter) {
        this.servers = servers;
        this.sentinels = sentinels;
        this.password = password;
        this.downAfter = downAfter;
    }

    /** @param password of the servers; the sentinels have none. Without spaces and quotes; empty = none */
    public static RedisSentinel start(Path dir, String password) {
        return start(dir, password, DOWN_AFTER);
    }

    /** @param downAfter the silence after which a server is dead: long where no test wants a failover and the machine may be busy */
    public static RedisSentinel start(Path dir, String password, Duration downAfter) {
        return start(
                dir,
                password,
                downAfter,
                settings ->
                        RedisServer.start(dir.resolve("server-2"), FreePorts.next(), password, List.of(), settings));
    }

    /** With another program for the replica. {@link #PATIENT}. */
    public static RedisSentinel start(Path dir, String password, RedisProgram replica) {
        return start(
                dir,
                password,
                PATIENT,
                settings -> RedisServer.start(dir.resolve("server-2"), password, replica, settings));
    }

    private static RedisSentinel start(
            Path dir, String password, Duration downAfter, Function<List<String>, RedisServer> replicaStarter) {
        List<String> auth = accounts(password);
        RedisServer first = RedisServer.start(dir.resolve("server-1"), FreePorts.next(), password, List.of(), auth);
        List<String> replica = new ArrayList<>(auth);
        replica.add("replicaof 127.0.0.1 " + first.port());
        replica.add("repl-diskless-sync-delay 0");
        RedisServer second = replicaStarter.apply(replica);
        first.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
        await().atMost(Duration.ofSeconds(20)).until(second::isLinked);
        List<String> settings = new ArrayList<>();
        settings.add("sentinel monitor " + MASTER + " 127.0.0.1 " + first.port() + " 2");
        settings.add("sentinel down-after-milliseconds " + MASTER + " " + downAfter.toMillis());
        settings.add("sentinel failover-timeout " + MASTER + " " + FAILOVER_TIMEOUT_MS);
        if (!password.isEmpty()) {
            settings.add("sentinel auth-user " + MASTER + " sentinel");
            settings.add("sentinel auth-pass " + MASTER + " " + password);
        }
        List<RedisServer> sentinels = new ArrayList<>();
        for (int i = 1; i <= SENTINELS; i++) {
            sentinels.add(RedisServer.start(
                    dir.resolve("sentinel-" + i), FreePorts.next(), "", List.of("--sentinel"), settings));
        }
        RedisSentinel all = new RedisSentinel(List.of(first, second), List.copyOf(sentinels), password, downAfter);
        await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> sentinels.stream()
                .allMatch(RedisSentinel::knowsAll));
        return all;
    }

    private static List<String> accounts(String password) {
        List<String> lines = new ArrayList<>();
        if (!password.isEmpty()) {
            PEERS.forEach(user -> lines.add("user " + user + " on >" + password + " ~* &* +@all"));
            lines.add("masteruser replica");
            lines.add("masterauth " + password);
        }
        return lines;
    }

    /** From now on a silence of half a second is a death, whatever was said at the start. */
    public void hasten() {
        sentinels.forEach(sentinel -> setDownAfter(sentinel, DOWN_AFTER));
    }

    private static void setDownAfter(RedisServer sentinel, Duration downAfter) {
        sentinel.command("SENTINEL", "SET", MASTER, "down-after-milliseconds", "" + downAfter.toMillis());
    }

    /** From now on this server refuses the sentinels and its replica. Its clients go on. The servers have a password. */
    public void cutOff(RedisServer server) {
        for (String peer : PEERS) {
            server.command("ACL", "SETUSER", peer, "off");
            server.command("CLIENT", "KILL", "USER", peer);
        }
    }

    /** Ends {@link #cutOff}. If another server is the master by now, the sentinels make this one its replica after eight seconds. */
    public void reconnect(RedisServer server) {
        PEERS.forEach(peer -> server.command("ACL", "SETUSER", peer, "on"));
    }

    /** Both servers, the first master first. */
    public List<RedisServer> servers() {
        return servers;
    }

    /** The server that the first sentinel names as the master. */
    public RedisServer master() {
        return masterOf(sentinels.get(0));
    }

    private RedisServer masterOf(RedisServer sentinel) {
        List<?> address = (List<?>) sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER);
        int port = Integer.parseInt(new String((byte[]) address.get(1), StandardCharsets.UTF_8));
        return servers.stream().filter(s -> s.port() == port).findFirst().orElseThrow();
    }

    /** Lets the sentinels fail over to the replica, and waits until it is the master. */
    public void failOver() {
        RedisServer before = master();
        // A sentinel refuses while it does not know a replica that is well, or while a failover is under way.
        await().atMost(WHOLE)
                .ignoreExceptionsInstanceOf(JedisDataException.class)
                .until(() -> sentinels.get(0).command("SENTINEL", "FAILOVER", MASTER) != null);
        await().atMost(Duration.ofSeconds(20)).until(() -> sentinels.stream()
                .allMatch(sentinel -> !masterOf(sentinel).equals(before)));
    }

    /** Sets up the sentinels anew: they forget their master and its epoch, and are told of this one. */
    public void monitorAnew(RedisServer master) {
        for (RedisServer sentinel : sentinels) {
            sentinel.command("SENTINEL", "REMOVE", MASTER);
        }
        for (RedisServer sentinel : sentinels) {
            sentinel.command("SENTINEL", "MONITOR", MASTER, "127.0.0.1", "" + master.port(), "2");
            setDownAfter(sentinel, downAfter);
            sentinel.command("SENTINEL", "SET", MASTER, "failover-timeout", FAILOVER_TIMEOUT_MS);
        }
    }

    /** Waits until each sentinel knows the others and the replica, and the replica follows the master. */
    public void awaitWhole() {
        await().atMost(WHOLE).ignoreExceptions().until(() -> sentinels.stream().allMatch(RedisSentinel::knowsAll));
        await().atMost(WHOLE).ignoreExceptions().until(() -> replica().isLinked());
    }

    /** The server that is not the master. */
    public RedisServer replica() {
        RedisServer master = master();
        return servers.stream().filter(each -> each != master).findFirst().orElseThrow();
    }

    /** Waits until all sentinels name this one as the master. */
    public void awaitMaster(RedisServer server) {
        await().atMost(WHOLE).ignoreExceptions().until(() -> sentinels.stream()
                .allMatch(sentinel -> masterOf(sentinel) == server));
    }

    public String uri() {
        return uri(IntUnaryOperator.identity());
    }

    /** @param way the port that leads to a sentinel, by the sentinel's own port */
    public String uri(IntUnaryOperator way) {
        String hosts = sentinels.stream()
                .map(sentinel -> new HostAndPort("127.0.0.1", way.applyAsInt(sentinel.port())))
                .map(HostAndPort::toString)
                .collect(Collectors.joining(","));
        return "redis-sentinel://" + RedisServer.userInfo(password) + hosts + "/" + MASTER + "/0";
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }

    private static boolean knowsAll(RedisServer sentinel) {
        List<?> replicas = (List<?>) sentinel.command("SENTINEL", "REPLICAS", MASTER);
        List<?> others = (List<?>) sentinel.command("SENTINEL", "SENTINELS", MASTER);
        return replicas.size() == 1 && others.size() == SENTINELS - 1;
    }
}
