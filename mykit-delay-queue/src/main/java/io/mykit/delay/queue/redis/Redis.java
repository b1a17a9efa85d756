package io.mykit.delay.queue.redis;

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
 * Redis: a single server, one that sentinels watch over, or a cluster. Thread-safe. Two threads of its own: {@code
 * redis-upkeep}, which looks after the servers, and {@code redis-subscriber}, which listens on a channel.
 */
public final class Redis implements AutoCloseable {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final RedisServers servers;
    private final RedisCalls calls;
    private final ClusterClock clock;
    private final Subscriber subscriber;
    private final Upkeep upkeep;
    private final LoopRunner upkeepLoop;
    private final LoopRunner subscriberLoop;

    private Redis(RedisSettings settings, List<byte[]> probes, ChannelListener listener, ClusterClock clusterClock) {
        this.servers = new RedisServers(settings, Topology.of(settings));
        this.calls = new RedisCalls(servers);
        this.clock = clusterClock;
        this.subscriber = new Subscriber(servers, settings, probes.get(0), listener);
        this.upkeep = new Upkeep(servers, settings, probes, clock, subscriber, listener.channel());
        this.upkeepLoop = new LoopRunner("redis-upkeep", upkeep, BACKOFF);
        this.subscriberLoop = new LoopRunner("redis-subscriber", subscriber, BACKOFF);
    }

    /**
     * Opens the connections. A Redis that is down is no failure here: {@link #health()} says so, and it is looked for
     * again and again.
     *
     * @param uri where Redis is; instead of {@link RedisConfig#uri()}, which may say "embedded"
     * @param probes one key for each slot in use, at least one; nothing is ever there, so that overwriting it shows whether
     *     its server takes writes. The first one's server is listened to, and its clock is the shared one
     * @param clock is fed with that server's time from now on
     * @throws IllegalArgumentException if the uri cannot be used
     * @throws ConfigException if Redis is there and not as the uri says
     */
    public static Redis open(
            RedisConfig config, Secret uri, List<byte[]> probes, ChannelListener listener, ClusterClock clock) {
        RedisSettings settings = new RedisSettings(RedisUri.parse(uri), config.timeout(), config.maxConnections());
        Redis redis = new Redis(settings, List.copyOf(probes), listener, clock);
        redis.look(settings);
        redis.upkeepLoop.start();
        redis.subscriberLoop.start();
        return redis;
    }

    /** Twice, so that an answer that comes late does not hide what is wrong. */
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
     * @throws RedisUnavailableException if no answer came: nobody knows whether it was done
     */
    public Object run(RedisCall call) {
        return calls.run(call);
    }

    /**
     * Makes all calls, pipelined per server. Never throws for what servers do, and what one server does spoils nothing on
     * the others.
     *
     * @return in order: a reply, or the RedisUnavailableException that {@link #run} would throw
     */
    public Object[] runAll(List<RedisCall> batch) {
        return calls.runAll(batch);
    }

    /**
     * The run id of the process that has this key now, for {@link RedisCall#onlyTo}; empty if it does not tell.
     *
     * @throws RedisUnavailableException if it cannot be reached
     */
    public String serverOf(byte[] key) {
        return servers.of(RedisCall.slotOf(key)).server();
    }

    /** The time by which due times are judged, epoch milliseconds. */
    public long timeMs() {
        return clock.steady().millis();
    }

    /** As {@link ClusterClock#latestDueMicros()} says. */
    public long latestDueMicros() {
        return clock.latestDueMicros();
    }

    /** The probes, by their place, whose servers were silent or refused writes when they were asked last; never blocks. */
    public BitSet refusing() {
        return upkeep.refusing();
    }

    /** The {@code maxmemory-policy} of each server that may evict keys, by its address; never blocks. */
    public Map<String, String> evicting() {
        return upkeep.evicting();
    }

    /** What was seen within the last second; never blocks. */
    public Health health() {
        return upkeep.health();
    }

    /** Those who are making a call get an exception. */
    @Override
    public void close() {
        subscriber.close();
        subscriberLoop.close();
        upkeepLoop.close();
        servers.close();
    }
}
