package io.mykit.delay.queue.leader;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Backoff;
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
 * that operators see who leads and who waits. All state belongs to the thread of the {@link DutyRoom}; what Curator
 * reports is handed over to it, and revokes the current term first when it is bad news.
 *
 * <p>Thread-safe.
 */
public final class CuratorLeaderElector implements LeaderElector {
    private static final Logger LOG = LoggerFactory.getLogger(CuratorLeaderElector.class);
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    /** A term that lasted so long was a success, whatever ended it. */
    private static final Duration LONG_TERM = Duration.ofMinutes(1);

    private static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);

    private final Registry registry;
    private final String nodeId;
    private final String path;
    private final DutyRoom room;
    private final ElectionGuard guard;
    private volatile CuratorFramework client;
    private volatile Candidacy candidacy;
    /** The room's thread only. */
    private int failures;

    private long begunNanos;

    /**
     * @param queueName nodes with the same name contend with each other
     * @param nodeId shown to operators; unique among the nodes
     * @throws IllegalArgumentException if the server list is missing or the queue name cannot be part of a path
     */
    public CuratorLeaderElector(RegistryConfig config, String queueName, String nodeId, LeaderDuty duty) {
        this.registry = Registry.of(config);
        this.nodeId = nodeId;
        this.path = ZKPaths.makePath("/leader", queueName);
        PathUtils.validatePath(path);
        this.room = new DutyRoom(queueName, duty);
        this.guard = new ElectionGuard(path);
    }

    /** Returns at once, even if the registry is away: contends when it comes. After {@link #close()} it does nothing. */
    @Override
    public synchronized void start() {
        if (client != null) {
            return;
        }
        open();
        Duration third = registry.sessionTimeout().dividedBy(3);
        room.repeat(this::look, third.compareTo(SHORTEST_LOOK) > 0 ? third : SHORTEST_LOOK);
    }

    @Override
    public Role role() {
        if (room.isActive()) {
            return Role.LEADER;
        }
        return isConnected() ? Role.STANDBY : Role.DISCONNECTED;
    }

    @Override
    public long epoch() {
        return room.epoch();
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
        return new Health(connected, details);
    }

    @Override
    public void close() {
        room.close(this::release);
    }

    private synchronized void open() {
        if (!room.isClosing()) {
            client = registry.connect(this::doubt);
            room.execute(this::contend);
        }
    }

    private boolean isConnected() {
        CuratorFramework current = client;
        return current != null && current.getZookeeperClient().isConnected();
    }

    /** Any thread, most often the client's event thread. */
    private void doubt() {
        room.doubt();
        room.execute(() -> layDown(Duration.ZERO));
    }

    private void contend() {
        if (candidacy != null) {
            return;
        }
        candidacy = new Candidacy(client, path, nodeId, new Candidacy.Listener() {
            @Override
            public void won(Candidacy winner) {
                room.execute(() -> takeUp(winner));
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
        long doubts = room.doubts();
        if (winner != candidacy || room.isBegun() || !winner.isWinner()) {
            return; // Stale: lost again before this thread got to it.
        }
        try {
            long epoch = winner.epoch();
            begunNanos = System.nanoTime();
            LeaderTerm term =
                    new LeaderTerm(epoch, () -> room.execute(() -> fenced(epoch)), () -> winner.isStill(epoch));
            if (room.begin(term, doubts)) {
                return;
            }
        } catch (Exception e) {
            LOG.warn("won the election, but could not verify it: {}", e.toString());
        }
        stepBack(pauseAfterFailure());
    }

    private void fenced(long epoch) {
        Duration pause = pauseAfterFailure();
        LOG.error(
                "epoch {} was fenced: somebody leads with a higher one. Contending again in {} ms. If this goes on,"
                        + " another ensemble or a standalone process serves the same queue, or ZooKeeper lost its data"
                        + " and its transaction numbers began anew",
                epoch,
                pause.toMillis());
        layDown(pause);
    }

    private Duration pauseAfterFailure() {
        failures = System.nanoTime() - begunNanos > LONG_TERM.toNanos() ? 1 : failures + 1;
        return RETRY.after(failures);
    }

    /** Ends a duty whose term is over, gives its node up, and contends again with a new one. */
    private void layDown(Duration pause) {
        if (room.isBegun() && !room.isActive()) {
            room.end();
            stepBack(pause);
        }
    }

    private void stepBack(Duration pause) {
        withdraw();
        room.schedule(this::contend, pause);
    }

    private void look() {
        if (!isConnected()) {
            guard.disconnected();
            return;
        }
        try {
            if (guard.isStuck(client, candidacy, room.isBegun())) {
                LOG.warn("stuck in the election: contending again in a new session");
                room.doubt();
                room.end();
                release();
                open();
            }
        } catch (Exception e) {
            LOG.debug("the registry could not be asked", e);
        }
    }

    private void withdraw() {
        Candidacy current = candidacy;
        candidacy = null;
        if (current != null) {
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
