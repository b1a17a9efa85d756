package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.config.RegistryConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.common.PathUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader for each queue name among the nodes that share a ZooKeeper ensemble. Used in {@code master-standby} mode.
 *
 * <p>The election lives at {@code /<namespace>/leader/<queue name>}. Each election node holds the id of its participant, so
 * that operators see which node leads and which nodes wait. All state belongs to the thread of the {@link DutyThread}: events
 * of Curator are passed on to that thread, and a bad event revokes the current term before that.
 *
 * <p>Thread-safe.
 */
public final class CuratorLeaderElector implements LeaderElector {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorLeaderElector.class);
    /** A winner that lets a better node lead contends again after this time. */
    private static final Duration YIELD = Duration.ofSeconds(1);

    private final RegistryClient registry;
    private final String nodeId;
    private final String path;
    private final DutyThread dutyThread;
    private final ElectionGuard guard;
    private final Standing standing;
    private volatile Candidacy candidacy;
    /** Used only by the duty thread. */
    private final Setbacks setbacks = new Setbacks();

    /**
     * @param queueName nodes with the same queue name contend with each other
     * @param nodeId shown to operators; unique among the nodes
     * @param fitness tells which parts this node cannot use; a leader gives way to a node that can use more, after {@link
     *     RegistryConfig#unfitAfter()}
     * @throws IllegalArgumentException if the server list is missing or the queue name cannot be part of a path
     */
    public CuratorLeaderElector(
            RegistryConfig config, String queueName, String nodeId, Fitness fitness, LeaderDuty duty) {
        this.registry = new RegistryClient(Registry.of(config));
        this.nodeId = nodeId;
        this.path = ZKPaths.makePath("/leader", queueName);
        PathUtils.validatePath(path);
        this.dutyThread = new DutyThread(queueName, duty);
        this.guard = new ElectionGuard(path);
        this.standing = new Standing(config.unfitAfter(), fitness, ZKPaths.makePath("/fitness", queueName), nodeId);
    }

    /**
     * Returns at once, even if the registry is away; the node contends when the registry is connected. After {@link #close()}
     * it does nothing.
     */
    @Override
    public synchronized void start() {
        if (registry.isOpen()) {
            return;
        }
        standing.start();
        open();
        dutyThread.repeat(this::judge, Standing.ROUND);
        dutyThread.repeat(this::look, registry.checkPeriod());
    }

    @Override
    public Role role() {
        if (dutyThread.isActive()) {
            return Role.LEADER;
        }
        return registry.isConnected() ? Role.STANDBY : Role.DISCONNECTED;
    }

    @Override
    public long epoch() {
        return dutyThread.epoch();
    }

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public Health check() {
        boolean connected = registry.isConnected();
        Role role = role();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("mode", "master-standby");
        details.put("role", role.name());
        details.put("epoch", epoch());
        details.put("leader", role == Role.LEADER ? nodeId : guard.leader());
        details.put("connection", connected ? "CONNECTED" : "DISCONNECTED");
        standing.details(details);
        return new Health(connected, details);
    }

    @Override
    public void close() {
        dutyThread.close(this::release);
        standing.close();
    }

    private synchronized void open() {
        if (!dutyThread.isClosing()) {
            registry.open(this::doubt);
            dutyThread.execute(this::contend);
        }
    }

    /** Revokes the term. Called by any thread, most often by the client's event thread. */
    private void doubt() {
        dutyThread.doubt();
        dutyThread.execute(() -> layDown(Duration.ZERO));
    }

    private void contend() {
        if (candidacy != null) {
            return;
        }
        try {
            candidacy = new Candidacy(
                    registry.get(), path, nodeId, winner -> dutyThread.execute(() -> takeUp(winner)), this::lost);
            candidacy.start();
        } catch (RuntimeException | Error e) {
            LOG.warn("This node could not join the election. It contends again", e);
            stepBack(setbacks.pause());
        }
    }

    private void lost(Candidacy loser) {
        if (loser == candidacy) { // Otherwise this node gave the election node up itself.
            doubt();
        }
    }

    private void takeUp(Candidacy winner) {
        long doubts = dutyThread.doubts();
        if (winner != candidacy || dutyThread.isBegun() || !winner.isWinner()) {
            return; // The win is lost again, or this event is of an earlier candidacy.
        }
        try {
            if (standing.yields(registry.get())) {
                stepBack(YIELD);
                return;
            }
            long epoch = winner.epoch();
            registry.answered();
            setbacks.begun();
            Runnable onFenced = () -> dutyThread.execute(() -> fenced(epoch));
            LeaderTerm term =
                    dutyThread.term(epoch, onFenced, () -> stepBack(setbacks.pause()), () -> winner.isStill(epoch));
            if (dutyThread.begin(term, doubts)) {
                return;
            }
        } catch (Exception e) {
            LOG.warn("Won the election, but ZooKeeper did not confirm it. This node contends again: {}", e.toString());
        }
        stepBack(setbacks.pause());
    }

    private void fenced(long epoch) {
        Duration pause = setbacks.pause();
        LOG.error(
                "Epoch {} was fenced: another process leads with a higher epoch. This node contends again in {} ms. If this"
                        + " repeats, check three causes: another ZooKeeper ensemble or a standalone process serves the same"
                        + " queue, or ZooKeeper lost its data and its transaction numbers began anew",
                epoch,
                pause.toMillis());
        layDown(pause);
    }

    /** Ends a duty whose term is over, gives its election node up, and contends again with a new one. */
    private void layDown(Duration pause) {
        if (dutyThread.isBegun() && !dutyThread.isActive()) {
            dutyThread.end();
            stepBack(pause);
        }
    }

    private void stepBack(Duration pause) {
        try {
            withdraw();
        } finally {
            dutyThread.schedule(this::contend, pause);
        }
    }

    /** Ends a working term in order, if another contender can use more parts than this node. */
    private void judge() {
        if (candidacy == null || !registry.isConnected()) {
            standing.reset();
            return;
        }
        try {
            if (standing.givesWay(registry.get(), dutyThread.isActive())) {
                dutyThread.end();
                stepBack(Duration.ZERO);
            }
        } catch (Exception e) {
            standing.unknown(e);
        }
    }

    private void look() {
        if (!registry.isOpen()) {
            // The last try to open a client failed.
            open();
            return;
        }
        if (!registry.check()) {
            guard.disconnected();
            return;
        }
        try {
            if (guard.isStuck(registry.get(), candidacy, dutyThread.isBegun())) {
                LOG.warn("This node is stuck in the election. It contends again in a new ZooKeeper session");
                dutyThread.doubt();
                dutyThread.end();
                release();
                open();
            }
        } catch (Exception e) {
            LOG.debug("ZooKeeper could not be asked about the election", e);
        }
        standing.recheck();
    }

    private void withdraw() {
        Candidacy current = candidacy;
        candidacy = null;
        if (current != null) {
            // In this order: the next leader must not wait for a node that has given up.
            standing.withdraw(registry.get());
            current.withdraw();
        }
    }

    /**
     * Gives up everything in the registry: first the election node, then the session with all other nodes that it owns.
     */
    private synchronized void release() {
        withdraw();
        registry.close();
    }
}
