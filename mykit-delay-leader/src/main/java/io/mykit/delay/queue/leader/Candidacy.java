package io.mykit.delay.queue.leader;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One election node in ZooKeeper, used for at most one term. A term that ended gives its election node up, so each term has
 * the czxid of an election node of its own as its epoch. Two terms never share an epoch.
 *
 * <p>{@link LeaderLatch} of Curator 5.9 handles the following cases, and this class leaves them to it: it waits for the first
 * connection; while it does not lead, it contends again after SUSPENDED, RECONNECTED and session expiry (its election node is
 * missing among the children, the whole path is missing (CURATOR-724), or an election node of the old session is still
 * visible: in each case it makes a new one).
 *
 * <p>It does not handle two cases. It never checks its own election node while it leads, so a deletion by an operator would
 * leave two leaders; this class watches for that. And it logs and forgets a failed creation of its election node; {@link
 * ElectionGuard} finds that.
 */
final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    private final CuratorFramework client;
    private final LeaderLatch latch;
    private final CuratorWatcher ownNode;

    /**
     * Both listeners are called in the client's event thread. They must only change atomics and pass the event on to another thread.
     *
     * @param won is called with this candidacy
     * @param lost is called with this candidacy
     */
    Candidacy(CuratorFramework client, String path, String nodeId, Consumer<Candidacy> won, Consumer<Candidacy> lost) {
        this.client = client;
        this.latch = new LeaderLatch(client, path, nodeId);
        this.ownNode = event -> {
            if (event.getType() == EventType.NodeDeleted) {
                lost.accept(this);
            }
        };
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                won.accept(Candidacy.this);
            }

            @Override
            public void notLeader() {
                lost.accept(Candidacy.this);
            }
        });
    }

    /** Returns at once. The election node is created when the registry is connected. */
    void start() {
        try {
            latch.start();
        } catch (Exception e) {
            throw new IllegalStateException("the election in ZooKeeper cannot be joined", e);
        }
    }

    /** Whether the latch holds that this node has won. If true, {@link #epoch()} must verify it. */
    boolean isWinner() {
        return latch.hasLeadership();
    }

    /**
     * Reads the creation transaction of the election node, and watches for its deletion from then on.
     *
     * @throws Exception if the election node vanished or the registry cannot be asked
     */
    long epoch() throws Exception {
        String node = latch.getOurPath();
        Stat stat =
                node == null ? null : client.checkExists().usingWatcher(ownNode).forPath(node);
        if (stat == null) {
            throw new KeeperException.NoNodeException(node);
        }
        return stat.getCzxid();
    }

    /**
     * Asks the registry whether the election node still exists. The sync comes first, because the connected server may be
     * behind the ensemble's leader.
     *
     * @throws IllegalStateException if the registry cannot be asked
     */
    boolean isStill(long epoch) {
        String node = latch.getOurPath();
        if (node == null) {
            return false;
        }
        try {
            client.sync().forPath(node);
            Stat stat = client.checkExists().forPath(node);
            return stat != null && stat.getCzxid() == epoch;
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper cannot confirm that epoch " + epoch + " still leads", e);
        }
    }

    /** The name of the election node among the children; null before it is created. */
    String node() {
        String node = latch.getOurPath();
        return node == null ? null : ZKPaths.getNodeFromPath(node);
    }

    /**
     * Gives the election node up. If the registry is away, Curator deletes the node in the background, and repeats until it
     * succeeds.
     */
    void withdraw() {
        try {
            latch.close();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("The election node could not be deleted; it ends with its session", e);
        }
    }
}
