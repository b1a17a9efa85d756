package io.mykit.delay.queue.redis;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.RedisConfig;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * Redis: a single server, a server behind sentinels, or a cluster. Thread-safe. It has two threads of its own: {@code
 * redis-upkeep} checks the servers, and {@code redis-subscriber} listens on a channel.
 */
public final class Redis implements AutoCloseable {
    /** The clocks of two servers that follow NTP differ by less than this. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final RedisServers servers;
    private final RedisCalls calls;
    private final ClusterClock clock;
    private final Subscriber subscriber;
    private final Upkeep upkeep;
    private final LoopRunner upkeepLoop;
    private final LoopRunner subscriberLoop;
    private final RedisMeters meters;

    private Redis(
            RedisSettings settings,
            List<byte[]> probes,
            ChannelListener listener,
            ClusterClock clusterClock,
            MeterRegistry registry) {
        this.servers = new RedisServers(settings, Topologies.of(settings));
        this.calls = new RedisCalls(servers);
        this.clock = clusterClock;
        this.subscriber = new Subscriber(servers, settings, probes.get(0), listener, Upkeep.ROUND);
        this.upkeep = new Upkeep(servers, settings, probes, clock, subscriber, listener.channel());
        this.upkeepLoop = new LoopRunner("redis-upkeep", upkeep, BACKOFF);
        this.subscriberLoop = new LoopRunner("redis-subscriber", subscriber, BACKOFF);
        this.meters = new RedisMeters(registry, upkeep);
    }

    /**
     * Opens the connections. A Redis that is down is no failure here: {@link #health()} reports it, and the thread {@code
     * redis-upkeep} goes on trying to connect.
     *
     * @param uri the address of Redis; it replaces {@link RedisConfig#uri()}, which may be "embedded"
     * @param probes one key for each slot in use, at least one key. These keys never exist, so that overwriting one shows
     *     whether its server takes writes. The server of the first key is the one to listen to, and its clock is the shared
     *     clock
     * @param clock gets the time of that server from now on
     * @throws IllegalArgumentException if the uri cannot be used
     * @throws ConfigException if Redis is there and does not match the uri
     */
    public static Redis open(
            RedisConfig config,
            Secret uri,
            List<byte[]> probes,
            ChannelListener listener,
            ClusterClock clock,
            MeterRegistry registry) {
        RedisSettings settings = new RedisSettings(RedisUri.parse(uri), config.timeout(), config.maxConnections());
        Redis redis = new Redis(settings, List.copyOf(probes), listener, clock, registry);
        redis.look(settings);
        redis.upkeepLoop.start();
        redis.subscriberLoop.start();
        return redis;
    }

    /** Checks twice, so that a late answer does not hide a wrong configuration. */
    private void look(RedisSettings settings) {
        upkeep.runOnce();
        if (!health().up() && upkeep.misfit() == null) {
            upkeep.runOnce();
        }
        String misfit = upkeep.misfit();
        if (misfit == null && !health().up() && settings.uri().mode() == RedisUri.Mode.SINGLE) {
            misfit = TransportProbe.advice(settings.uri(), settings.probeTimeout())
                    .orElse(null);
        }
        if (misfit != null) {
            close();
            throw new ConfigException(misfit);
        }
    }

    /**
     * Makes one call, within the timeout.
     *
     * @return the reply; {@link Replies} reads it
     * @throws RedisRefusalException if Redis or the script answers with an error
     * @throws RedisUnavailableException if no answer came: Redis may or may not have executed the call
     */
    public Object run(RedisCall call) {
        long begunNanos = System.nanoTime();
        try {
            return calls.run(call);
        } finally {
            meters.took(call, System.nanoTime() - begunNanos);
        }
    }

    /**
     * Makes all calls, pipelined per server. Never throws for a failure of a server. A failure of one server does not
     * affect the calls to the others.
     *
     * @return in order: a reply, or the RedisUnavailableException that {@link #run} would throw
     */
    public Object[] runAll(List<RedisCall> batch) {
        if (batch.isEmpty()) {
            return new Object[0];
        }
        long begunNanos = System.nanoTime();
        Object[] replies = calls.runAll(batch);
        meters.took(batch.get(0), System.nanoTime() - begunNanos);
        return replies;
    }

    /**
     * The process that holds this key now, for {@link RedisCall#onlyTo}: its run id; with Sentinel, also the configuration
     * epoch that made it the master. Empty if Redis does not report it.
     *
     * @throws RedisUnavailableException if Redis cannot be reached
     */
    public String serverOf(byte[] key) {
        return servers.of(RedisCall.slotOf(key)).server();
    }

    /**
     * Whether no server was restarted during the last seconds, as this node has seen, and none has become a master, as sentinels or
     * nodes of the cluster tell now. A restarted server may lack leases until the leader has claimed its buckets again. After a
     * failover, other nodes may still use the server that was the master before. Blocks for a second at most, and not at all with a
     * single server.
     */
    public boolean isSteady() {
        return !servers.restarts().isRecent() && upkeep.isSteady(upkeepLoop::wake);
    }

    /** The latest time that the clock of another server may show, epoch milliseconds, as far as this node can know. */
    public long latestElsewhereMs() {
        return clock.millis() + clock.steppedBack().plus(CLOCKS_APART).toMillis();
    }

    /** Whether another server may take the place of one, as sentinels or nodes of a cluster decide. */
    public boolean mayFailOver() {
        return servers.topology().mayFailOver();
    }

    /** Whether the keys are on several servers, and may move between them. */
    public boolean isSharded() {
        return servers.topology().isSharded();
    }

    /** The time that decides which messages are due, epoch milliseconds. */
    public long timeMs() {
        return clock.steady().millis();
    }

    /** See {@link ClusterClock#latestDueMicros()}. */
    public long latestDueMicros() {
        return clock.latestDueMicros();
    }

    /** The indexes of the probes whose servers did not answer or refused writes at their last check; never blocks. */
    public BitSet refusing() {
        return upkeep.refusing();
    }

    /** The {@code maxmemory-policy} of each server that may evict keys, by its address; never blocks. */
    public Map<String, String> evicting() {
        return upkeep.evicting();
    }

    /** The result of the last check, not older than about a second; down if the checks do not go on. Never blocks. */
    public Health health() {
        return upkeepLoop.lives() ? upkeep.health() : Health.down("the loop " + upkeepLoop.name() + " does not run");
    }

    /** Calls that are running end with an exception. */
    @Override
    public void close() {
        subscriber.close();
        subscriberLoop.close();
        upkeepLoop.close();
        servers.close();
    }
}
