package io.mykit.delay.queue.leader;

import java.io.IOException;
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
 * One node in the election, good for at most one term: a term that ended gives its node up, so that every term has the
 * czxid of a node of its own as its epoch, and two terms never share one.
 *
 * <p>What {@link LeaderLatch} of Curator 5.9 takes care of by itself, and is left to it: waiting for the first connection;
 * contending again after SUSPENDED, RECONNECTED and session expiry while it does not lead (its node missing among the
 * children, the whole path missing (CURATOR-724), or a node of the old session still visible: each makes a new node). What
 * it does not: it never looks at its own node while it leads, so a node deleted by somebody would leave two leaders; that
 * is watched here. And a failed creation of its node is logged and forgotten; that is what {@link ElectionGuard} is for.
 */
final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    /** Called in the client's event thread: must only flip atomics and hand over. */
    interface Listener {
        void won(Candidacy candidacy);

        void lost(Candidacy candidacy);
    }

    private final CuratorFramework client;
    private final LeaderLatch latch;
    private final CuratorWatcher ownNode;

    Candidacy(CuratorFramework client, String path, String nodeId, Listener listener) {
        this.client = client;
        this.latch = new LeaderLatch(client, path, nodeId);
        this.ownNode = event -> {
            if (event.getType() == EventType.NodeDeleted) {
                listener.lost(this);
            }
        };
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                listener.won(Candidacy.this);
            }

            @Override
            public void notLeader() {
                listener.lost(Candidacy.this);
            }
        });
    }

    /** Returns at once; the node is made when the registry is connected. */
    void start() {
        try {
            latch.start();
        } catch (Exception e) {
            throw new IllegalStateException("cannot contend for leadership", e);
        }
    }

    /** What the latch believes; true is to be verified by {@link #epoch()}. */
    boolean isWinner() {
        return latch.hasLeadership();
    }

    /**
     * Reads the creation transaction of this node, and from then on watches for its deletion.
     *
     * @throws Exception if the node vanished or the registry cannot be asked
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
     * Asks the registry whether this node is still there: its leader, as another server may be behind.
     *
     * @throws IllegalStateException if it cannot be asked
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
            throw new IllegalStateException("the registry cannot be asked whether epoch " + epoch + " goes on", e);
        }
    }

    /** The name of its node among the children, or null before there is one. */
    String node() {
        String node = latch.getOurPath();
        return node == null ? null : ZKPaths.getNodeFromPath(node);
    }

    /** Gives the node up: in the background and for as long as it takes, if the registry is away right now. */
    void withdraw() {
        try {
            latch.close();
        } catch (IOException | IllegalStateException e) {
            LOG.debug("the election node could not be given up in order; its session will", e);
        }
    }
}
