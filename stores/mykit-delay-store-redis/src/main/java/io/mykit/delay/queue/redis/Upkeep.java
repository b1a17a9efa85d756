package io.mykit.delay.queue.redis;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.time.ClusterClock;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Checks the servers twice a second: it follows the masters, checks whether each server takes writes, reads its time, ends
 * writes that hang, and keeps the result for {@link #health()}. A failure is no exception here: the next round tries again.
 * The thread {@code redis-upkeep} runs it; any thread may read the results.
 */
final class Upkeep implements Loop {
    static final Duration ROUND = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    /** A round that takes longer counts as hanging. */
    private static final long MAX_SILENCE_NANOS = Duration.ofSeconds(5).toNanos();
    /**
     * The bridge must ask for a new master: the old one may still serve. A cluster node reports a moved slot in its answer, but not before it
     * knows of the move.
     */
    private static final Map<RedisUri.Mode, Duration> REFRESH_EVERY = Map.of(
            RedisUri.Mode.SINGLE, Duration.ofSeconds(10),
            RedisUri.Mode.SENTINEL, Duration.ofSeconds(1),
            RedisUri.Mode.CLUSTER, Duration.ofSeconds(2));

    private final OutageLog outage = new OutageLog(LOG, "Redis cannot be used", "Redis can be used again");
    private final RedisServers servers;
    private final RedisSettings settings;
    private final List<byte[]> probes;
    private final ClusterClock clock;
    private final Subscriber subscriber;
    private final Inspection inspection;
    private final Steadiness steadiness;
    private boolean toldMisfit;
    private long refreshedNanos = Long.MIN_VALUE;
    private volatile long roundNanos;
    /** Indexes of probes; the set itself is never changed. */
    private volatile BitSet refusing = new BitSet();

    private volatile Health health = Health.down("not checked yet");

    /** @param probes see {@link Redis#open} */
    Upkeep(
            RedisServers servers,
            RedisSettings settings,
            List<byte[]> probes,
            ClusterClock clock,
            Subscriber subscriber,
            byte[] channel) {
        this.servers = servers;
        this.settings = settings;
        this.probes = probes;
        this.clock = clock;
        this.subscriber = subscriber;
        this.inspection = new Inspection(clock::nanos, channel);
        this.steadiness = new Steadiness(clock::nanos);
        this.roundNanos = clock.nanos();
    }

    /** The reason why Redis cannot be used until an operator changes a configuration; null = no such reason. */
    String misfit() {
        Object reason = health.details().get("reason");
        return reason instanceof String told && Misfit.isMisfit(told) ? "Redis " + told : null;
    }

    /** See {@link Redis#evicting}. */
    Map<String, String> evicting() {
        return inspection.evicting();
    }

    /** The memory of all servers, not older than half a minute; never blocks. */
    RedisMemory memory() {
        return inspection.memory();
    }

    /** The result of the last round; never blocks. */
    Health health() {
        return clock.nanos() - roundNanos > MAX_SILENCE_NANOS
                ? report(Set.of(), "is not being checked: the thread redis-upkeep hangs")
                : health;
    }

    /** See {@link Redis#isSteady}. The caller wakes the loop after the doubt. */
    boolean isSteady(Runnable wake) {
        return !servers.topology().mayFailOver()
                || steadiness.isSteady(() -> {
                    servers.doubt();
                    wake.run();
                });
    }

    /** See {@link Redis#refusing}. */
    BitSet refusing() {
        return (BitSet) refusing.clone();
    }

    @Override
    public Duration runOnce() {
        Set<HostAndPort> asked = new LinkedHashSet<>();
        String problem = lookAfter(asked);
        Health before = health;
        health = report(asked, problem);
        roundNanos = clock.nanos();
        boolean misfit = Misfit.isMisfit(problem);
        if (misfit && !toldMisfit && outage.isFailing()) {
            // The server was silent before and answers now with an error that an operator must act on.
            LOG.warn("Redis {} {}", asked, problem);
        }
        toldMisfit = misfit;
        if (problem != null) {
            outage.failed(asked + " " + problem);
        } else if (outage.isFailing()) {
            outage.succeeded();
        } else if (!before.up()) {
            LOG.info("Redis {} is up", asked);
        }
        return ROUND;
    }

    /** The first problem of this round; null = none. */
    private String lookAfter(Set<HostAndPort> asked) {
        String problem = null;
        try {
            refresh();
        } catch (JedisException e) {
            problem = "has no known master: " + Misfit.told(settings.uri().mode(), e);
        }
        BitSet out = new BitSet();
        Map<HostAndPort, String> answers = new HashMap<>();
        for (int i = 0; i < probes.size(); i++) {
            String refusal = refusal(probes.get(i), asked, answers);
            if (refusal != null) {
                out.set(i);
                problem = problem == null ? refusal : problem;
            }
        }
        refusing = out;
        servers.all().forEach(RedisNode::cutStuckWrites);
        if (!asked.isEmpty()) {
            servers.retain(asked);
            inspection.retain(asked);
            subscriber.keepAlive(asked.iterator().next());
        }
        return problem;
    }

    /**
     * The reason why the server of this key takes no writes; null = it takes writes. A round asks each server once.
     *
     * @param answers of the servers that were asked in this round
     */
    private String refusal(byte[] key, Set<HostAndPort> asked, Map<HostAndPort, String> answers) {
        HostAndPort address = null;
        String refusal;
        try {
            RedisNode node = servers.of(RedisCall.slotOf(key));
            address = node.address();
            if (!asked.add(address)) {
                return answers.get(address);
            }
            refusal = probe(node, key);
        } catch (RedisUnavailableException e) {
            refusal = e.getMessage();
        } catch (JedisException e) {
            servers.doubt();
            refusal = "does not work: " + Misfit.told(settings.uri().mode(), e);
        }
        answers.put(address, refusal);
        return refusal;
    }

    private void refresh() {
        long now = clock.nanos();
        boolean first = refreshedNanos == Long.MIN_VALUE;
        boolean doubtful = servers.takeDoubt();
        if (doubtful
                || first
                || now - refreshedNanos
                        >= REFRESH_EVERY.get(settings.uri().mode()).toNanos()) {
            steadiness.begin();
            if (servers.topology().refresh(doubtful)) {
                steadiness.found(masters());
            }
            refreshedNanos = now;
        }
    }

    private List<String> masters() {
        return probes.stream().map(this::master).toList();
    }

    private String master(byte[] key) {
        try {
            return servers.topology().nodeOf(RedisCall.slotOf(key))
                    + servers.topology().generation();
        } catch (RedisUnavailableException e) {
            return "unknown";
        }
    }

    /** The reason why the server takes no writes; null = it takes writes. */
    private String probe(RedisNode node, byte[] key) {
        long askedNanos = clock.nanos();
        RedisNode.Look look = node.probe(key);
        // On a cluster, the clock takes the time of any server until the first server has answered once.
        if (key == probes.get(0) || !clock.isSampled()) {
            clock.sample(look.nowMicros(), askedNanos);
        }
        if (look.refusal() == null) {
            return inspection.look(node, key);
        }
        // The server may have become a replica.
        servers.doubt();
        return "refuses writes: " + Misfit.told(settings.uri().mode(), look.refusal());
    }

    private Health report(Set<HostAndPort> asked, String problem) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("mode", settings.uri().mode().name().toLowerCase(Locale.ROOT));
        details.put("servers", asked.stream().map(HostAndPort::toString).toList());
        if (problem != null) {
            details.put("reason", problem);
        }
        return new Health(problem == null, details);
    }
}
