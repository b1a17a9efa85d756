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
 * Checks the election through the registry, and finds out when this node is stuck in it: it has no election node although it
 * is connected, its session has the first election node and it does not lead, or it waits behind a forgotten election node of
 * its own session. Each case is normal for a moment. If two checks in a row find one, only a new session helps. One thread.
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

    /**
     * The id of the participant with the first election node at the last check; empty if there was none. Any thread.
     */
    String leader() {
        return leader;
    }

    /** Records that the registry cannot be asked. */
    void disconnected() {
        oddities = 0;
        leader = "";
    }

    /**
     * Checks once.
     *
     * @param candidacy this node's own candidacy; null while it does not contend
     * @return whether this node is stuck
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
