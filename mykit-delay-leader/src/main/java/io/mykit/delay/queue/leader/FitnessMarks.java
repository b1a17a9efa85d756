package io.mykit.delay.queue.leader;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks of the contenders in the registry: each contender has an ephemeral node at {@code /<namespace>/fitness/<queue
 * name>/<node id>@<session>} with the parts that it cannot use, one a line. A mark is written only when it changes. A
 * contender without a mark (one of an older version, or one that does not contend now) does not count as better. One thread.
 */
final class FitnessMarks {
    private static final Logger LOG = LoggerFactory.getLogger(FitnessMarks.class);
    private static final String SEPARATOR = "\n";

    private final String path;
    private final String nodeId;
    private String mark;
    /** The content of the mark as last seen or written; null = it must be read. */
    private Set<String> said;

    FitnessMarks(String path, String nodeId) {
        this.path = path;
        this.nodeId = nodeId;
    }

    /**
     * Writes the mark, unless it already has this content.
     *
     * @throws Exception if the registry cannot be asked
     */
    void publish(CuratorFramework client, Set<String> unusable) throws Exception {
        // A mark of an earlier session of this node ends with that session.
        long session = client.getZookeeperClient().getZooKeeper().getSessionId();
        String own = ZKPaths.makePath(path, nodeId + "@" + Long.toHexString(session));
        if (own.equals(mark) && unusable.equals(said)) {
            return;
        }
        mark = own;
        byte[] data = String.join(SEPARATOR, unusable).getBytes(UTF_8);
        try {
            if (!Arrays.equals(client.getData().forPath(mark), data)) {
                client.setData().forPath(mark, data);
            }
        } catch (KeeperException.NoNodeException e) {
            client.create()
                    .creatingParentContainersIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(mark, data);
        }
        said = unusable;
    }

    /** Makes the next {@link #publish} check that the mark still exists. */
    void recheck() {
        said = null;
    }

    /** Deletes the mark in the background: this node does not contend now. */
    void withdraw(CuratorFramework client) {
        if (mark == null || client == null) {
            return;
        }
        try {
            client.delete().quietly().inBackground().forPath(mark);
        } catch (Exception e) {
            LOG.debug("The mark {} could not be deleted; it ends with its session", mark, e);
        }
        mark = null;
        said = null;
    }

    /**
     * Returns the parts that each other contender cannot use, by its node id.
     *
     * @throws Exception if the registry cannot be asked
     */
    Map<String, Set<String>> others(CuratorFramework client) throws Exception {
        Map<String, Set<String>> others = new TreeMap<>();
        for (String child : children(client)) {
            String id = child.substring(0, Math.max(0, child.lastIndexOf('@')));
            if (!id.equals(nodeId)) {
                try {
                    others.put(id, parts(client.getData().forPath(ZKPaths.makePath(path, child))));
                } catch (KeeperException.NoNodeException e) {
                    LOG.debug("The mark {} is gone", child);
                }
            }
        }
        return others;
    }

    private List<String> children(CuratorFramework client) throws Exception {
        try {
            return client.getChildren().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private static Set<String> parts(byte[] data) {
        String text = data == null ? "" : new String(data, UTF_8);
        return Arrays.stream(text.split(SEPARATOR, -1))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
