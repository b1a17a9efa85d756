package io.mykit.delay.queue.leader;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.StandardLockInternalsDriver;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * Looks at the election from outside and says when this node's part in it makes no sense any more: no node although
 * connected, first in the row and not leading, or waiting behind a forgotten node of its own session. Each of them is
 * normal for a moment; seen twice in a row it is stuck, and only a new session helps. For one thread.
 */
final class ElectionGuard {
    private static final int PATIENCE = 2;
    private static final String LATCH_PREFIX = "latch-";

    private final String path;
    private Candidacy looked;
    private int oddities;
    private volatile String leader = "";

    ElectionGuard(String path) {
        this.path = path;
    }

    /** The id of the node that was first in the row when it was last looked at; empty if there was none. Any thread. */
    String leader() {
        return leader;
    }

    /** The registry cannot be asked. */
    void disconnected() {
        oddities = 0;
        leader = "";
    }

    /**
     * Looks once.
     *
     * @param candidacy this node's own, or null while it stands back
     * @return whether it is stuck
     * @throws Exception if the registry cannot be asked
     */
    boolean isStuck(CuratorFramework client, Candidacy candidacy, boolean leads) throws Exception {
        if (candidacy != looked) {
            looked = candidacy;
            oddities = 0;
        }
        List<String> row = row(client);
        String own = candidacy == null ? null : candidacy.node();
        boolean odd = own == null || !row.contains(own);
        if (row.isEmpty()) {
            leader = "";
        } else if (isOwnSessions(client, row.get(0))) {
            odd |= !leads || !row.get(0).equals(own);
        }
        oddities = candidacy != null && odd ? oddities + 1 : 0;
        return oddities >= PATIENCE;
    }

    private List<String> row(CuratorFramework client) throws Exception {
        try {
            return client.getChildren().forPath(path).stream()
                    .sorted(Comparator.comparing(
                            node -> StandardLockInternalsDriver.standardFixForSorting(node, LATCH_PREFIX)))
                    .toList();
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private boolean isOwnSessions(CuratorFramework client, String node) throws Exception {
        Stat stat = new Stat();
        try {
            byte[] id = client.getData().storingStatIn(stat).forPath(ZKPaths.makePath(path, node));
            leader = new String(Objects.requireNonNullElse(id, new byte[0]), StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return false;
        }
        return stat.getEphemeralOwner()
                == client.getZookeeperClient().getZooKeeper().getSessionId();
    }
}
