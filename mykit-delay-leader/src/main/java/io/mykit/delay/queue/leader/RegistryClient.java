package io.mykit.delay.queue.leader;

import io.mykit.delay.common.lifecycle.OutageLog;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of the ZooKeeper ensemble that an elector has open, at most one at a time. A repeated check logs an ensemble that
 * cannot be reached.
 *
 * <p>Any thread may ask whether it is connected. The elector opens and closes it under its own lock. The checks belong to the
 * election's thread.
 */
final class RegistryClient {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryClient.class);
    private static final Duration SHORTEST_CHECK = Duration.ofSeconds(1);

    private final OutageLog outage =
            new OutageLog(LOG, "ZooKeeper cannot be reached", "ZooKeeper can be reached again");
    private final Registry registry;
    private volatile CuratorFramework client;
    private int checksInVain;

    RegistryClient(Registry registry) {
        this.registry = registry;
    }

    /**
     * Opens a client and returns at once.
     *
     * @param onTrouble called in the client's event thread when the session is uncertain or lost
     */
    void open(Runnable onTrouble) {
        client = registry.connect(onTrouble);
    }

    boolean isOpen() {
        return client != null;
    }

    /** The open client; null if there is none. */
    CuratorFramework get() {
        return client;
    }

    boolean isConnected() {
        CuratorFramework current = client;
        return current != null && current.getZookeeperClient().isConnected();
    }

    /** The time between two checks: a third of the session's timeout, but at least one second. */
    Duration checkPeriod() {
        Duration third = registry.sessionTimeout().dividedBy(3);
        return third.compareTo(SHORTEST_CHECK) > 0 ? third : SHORTEST_CHECK;
    }

    /** Whether the client is connected. The answer is logged if it has changed. */
    boolean check() {
        if (isConnected()) {
            answered();
            return true;
        }
        checksInVain++;
        if (checksInVain > 1) { // The first connection may take longer than one check.
            outage.failed("no connection to " + registry.servers() + ". This node cannot lead until it is connected");
        }
        return false;
    }

    /** Records that ZooKeeper has answered. */
    void answered() {
        checksInVain = 0;
        outage.succeeded();
    }

    /** Closes the session with all nodes that it owns. */
    void close() {
        CuratorFramework current = client;
        client = null;
        if (current != null) {
            current.close();
        }
    }
}
