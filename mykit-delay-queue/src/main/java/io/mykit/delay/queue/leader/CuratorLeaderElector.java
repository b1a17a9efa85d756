package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.config.RegistryConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.common.PathUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader per queue name among the nodes that share a ZooKeeper ensemble.
 *
 * <p>The election lives at {@code /<namespace>/leader/<queue name>}; each election node holds its participant's id, so
 * that operators see who leads and who waits. All state belongs to the thread of the {@link DutyThread}; what Curator
 * reports is handed over to it, and revokes the current term first when it is bad news.
 *
 * <p>Thread-safe.
 */
public final class CuratorLeaderElector implements LeaderElector {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorLeaderElector.class);
    private static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);
    /** What lets a better node go first stands back so long. */
    private static final Duration YIELD = Duration.ofSeconds(1);

    private final OutageLog outage =
            new OutageLog(LOG, "ZooKeeper cannot be reached", "ZooKeeper can be reached again");
    private final Registry registry;
    private final String nodeId;
    private final String path;
    private final DutyThread dutyThread;
    private final ElectionGuard guard;
    private final Standing standing;
    private volatile CuratorFramework client;
    private volatile Candidacy candidacy;
    /** Only the duty thread uses it. */
    private final Setbacks setbacks = new Setbacks();

    private int lookedInVain;

    /**
     * @param queueName nodes with the same name contend with each other
     * @param nodeId shown to operators; unique among the nodes
     * @param fitness what this node cannot use; a leader gives way to a node that can, after {@link
     *     RegistryConfig#unfitAfter()}
     * @throws IllegalArgumentException if the server list is missing or the queue name cannot be part of a path
     */
    public CuratorLeaderElector(
            RegistryConfig config, String queueName, String nodeId, Fitness fitness, LeaderDuty duty) {
        this.registry = Registry.of(config);
        this.nodeId = nodeId;
        this.path = ZKPaths.makePath("/leader", queueName);
        PathUtils.validatePath(path);
        this.dutyThread = new DutyThread(queueName, duty);
        this.guard = new ElectionGuard(path);
        this.standing = new Standing(config.unfitAfter(), fitness, ZKPaths.makePath("/fitness", queueName), nodeId);
    }

    /** Returns at once, even if the registry is away: contends when it comes. After {@link #close()} it does nothing. */
    @Override
    public synchronized void start() {
        if (client != null) {
            return;
        }
        standing.start();
        open();
        dutyThread.repeat(this::judge, Standing.ROUND);
        Duration third = registry.sessionTimeout().dividedBy(3);
        dutyThread.repeat(this::look, third.compareTo(SHORTEST_LOOK) > 0 ? third : SHORTEST_LOOK);
    }

    @Override
    public Role role() {
        if (dutyThread.isActive()) {
            return Role.LEADER;
        }
        return isConnected() ? Role.STANDBY : Role.DISCONNECTED;
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
        boolean connected = isConnected();
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
            client = registry.connect(this::doubt);
            dutyThread.execute(this::contend);
        }
    }

    private boolean isConnected() {
        CuratorFramework current = client;
        return current != null && current.getZookeeperClient().isConnected();
    }

    /** Any thread, most often the client's event thread. */
    private void doubt() {
        dutyThread.doubt();
        dutyThread.execute(() -> layDown(Duration.ZERO));
    }

    private void contend() {
        if (candidacy != null) {
            return;
        }
        candidacy = new Candidacy(client, path, nodeId, new Candidacy.Listener() {
            @Override
            public void won(Candidacy winner) {
                dutyThread.execute(() -> takeUp(winner));
            }

            @Override
            public void lost(Candidacy loser) {
                if (loser == candidacy) { // Not a node that was given up on purpose.
                    doubt();
                }
            }
        });
        candidacy.start();
    }

    private void takeUp(Candidacy winner) {
        long doubts = dutyThread.doubts();
        if (winner != candidacy || dutyThread.isBegun() || !winner.isWinner()) {
            return; // Stale: lost again before this thread got to it.
        }
        try {
            if (standing.yields(client)) {
                stepBack(YIELD);
                return;
            }
            long epoch = winner.epoch();
            outage.succeeded();
            setbacks.begun();
            LeaderTerm term =
                    new LeaderTerm(epoch, () -> dutyThread.execute(() -> fenced(epoch)), () -> winner.isStill(epoch));
            if (dutyThread.begin(term, doubts)) {
                return;
            }
        } catch (Exception e) {
            LOG.warn("won the election, but could not verify it: {}", e.toString());
        }
        stepBack(setbacks.pause());
    }

    private void fenced(long epoch) {
        Duration pause = setbacks.pause();
        LOG.error(
                "epoch {} was fenced: somebody leads with a higher one. Contending again in {} ms. If this goes on,"
                        + " another ensemble or a standalone process serves the same queue, or ZooKeeper lost its data"
                        + " and its transaction numbers began anew",
                epoch,
                pause.toMillis());
        layDown(pause);
    }

    /** Ends a duty whose term is over, gives its node up, and contends again with a new one. */
    private void layDown(Duration pause) {
        if (dutyThread.isBegun() && !dutyThread.isActive()) {
            dutyThread.end();
            stepBack(pause);
        }
    }

    private void stepBack(Duration pause) {
        withdraw();
        dutyThread.schedule(this::contend, pause);
    }

    /** Ends a term of full work in good order, if a node that can use more waits for its turn. */
    private void judge() {
        if (candidacy == null || !isConnected()) {
            standing.reset();
            return;
        }
        try {
            if (standing.givesWay(client, dutyThread.isActive())) {
                dutyThread.end();
                stepBack(Duration.ZERO);
            }
        } catch (Exception e) {
            standing.unknown(e);
        }
    }

    private void look() {
        if (!isConnected()) {
            guard.disconnected();
            lookedInVain++;
            if (lookedInVain > 1) { // A first connection takes its time.
                outage.failed("no connection to " + registry.servers() + ", this node cannot lead until there is one");
            }
            return;
        }
        lookedInVain = 0;
        outage.succeeded();
        try {
            if (guard.isStuck(client, candidacy, dutyThread.isBegun())) {
                LOG.warn("stuck in the election: contending again in a new session");
                dutyThread.doubt();
                dutyThread.end();
                release();
                open();
            }
        } catch (Exception e) {
            LOG.debug("the registry could not be asked", e);
        }
        standing.recheck();
    }

    private void withdraw() {
        Candidacy current = candidacy;
        candidacy = null;
        if (current != null) {
            // In this order: the next one must not wait for a node that has given up.
            standing.withdraw(client);
            current.withdraw();
        }
    }

    /** Gives everything in the registry back: the node first, then the session with whatever it may still own. */
    private synchronized void release() {
        withdraw();
        CuratorFramework current = client;
        client = null;
        if (current != null) {
            current.close();
        }
    }
}
