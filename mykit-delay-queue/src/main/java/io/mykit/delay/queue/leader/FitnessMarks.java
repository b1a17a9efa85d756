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
 * What the contenders say about themselves in the registry: an ephemeral node for each at {@code
 * /<namespace>/fitness/<queue name>/<node id>@<session>}, which holds the parts that it cannot use, one a line. It is written
 * only when that changes. A contender without a mark (one of an older version, one that stands back) is not known to be any
 * better. For one thread.
 */
final class FitnessMarks {
    private static final Logger LOG = LoggerFactory.getLogger(FitnessMarks.class);
    private static final String SEPARATOR = "\n";

    private final String path;
    private final String nodeId;
    private String mark;
    /** What stands there, as far as is known; null = to be looked at. */
    private Set<String> said;

    FitnessMarks(String path, String nodeId) {
        this.path = path;
        this.nodeId = nodeId;
    }

    /**
     * Says it, unless that is what stands there already.
     *
     * @throws Exception if the registry cannot be asked
     */
    void publish(CuratorFramework client, Set<String> unusable) throws Exception {
        // A node of an earlier session of ours goes with that session.
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

    /** Has the next {@link #publish} look whether the mark is still there. */
    void recheck() {
        said = null;
    }

    /** Takes it back, in the background: this node does not contend now. */
    void withdraw(CuratorFramework client) {
        if (mark == null || client == null) {
            return;
        }
        try {
            client.delete().quietly().inBackground().forPath(mark);
        } catch (Exception e) {
            LOG.debug("The mark {} could not be taken back; it ends with its session", mark, e);
        }
        mark = null;
        said = null;
    }

    /**
     * The parts that each other contender cannot use, by its node id.
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
