package io.mykit.delay.queue.leader;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares this node with the other contenders: the parts that it cannot use, the parts that they cannot use, and whether it
 * gives way to one of them. Only the election's thread uses it, except {@link #details}; the parts are checked on a thread of
 * their own.
 */
final class Standing {
    /** The time between two checks of the other contenders. */
    static final Duration ROUND = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);
    private static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));
    /**
     * Each period has so many checks of the parts, but a check comes at most once a second and at least once in two seconds.
     */
    private static final int ROUNDS = 5;

    private static final Duration LONGEST_ROUND = Duration.ofSeconds(2);
    /** A part must be usable for the period divided by this before it counts as usable again. */
    private static final int STEADY_PARTS = 3;

    private final boolean enabled;
    private final FitnessWatch watch;
    private final LoopRunner loop;
    private final FitnessMarks marks;
    private final WayGiver wayGiver;
    /** Whether the refused access to ZooKeeper is already in the log. */
    private boolean refused;

    /**
     * @param period how long another node must be better; zero = this node checks nothing, writes no mark and never gives way
     */
    Standing(Duration period, Fitness fitness, String path, String nodeId) {
        this.enabled = !period.isZero();
        Duration fifth = period.dividedBy(ROUNDS);
        Duration round =
                fifth.compareTo(ROUND) < 0 ? ROUND : fifth.compareTo(LONGEST_ROUND) > 0 ? LONGEST_ROUND : fifth;
        this.watch = new FitnessWatch(fitness, round, period.dividedBy(STEADY_PARTS), System::nanoTime);
        this.loop = new LoopRunner("fitness", watch, RETRY);
        this.marks = new FitnessMarks(path, nodeId);
        this.wayGiver = new WayGiver(period, System::nanoTime);
    }

    void start() {
        if (enabled) {
            loop.start();
        }
    }

    /**
     * Publishes the parts that this node cannot use, if they changed. If this node leads and cannot use a part, reads the
     * marks of the others.
     *
     * @return whether it gives way now
     * @throws Exception if the registry cannot be asked
     */
    boolean givesWay(CuratorFramework client, boolean leads) throws Exception {
        if (!enabled || !watch.hasLooked()) {
            return false;
        }
        Set<String> unusable = watch.unusable();
        marks.publish(client, unusable);
        if (!leads) {
            wayGiver.reset();
            return false;
        }
        Map<String, Set<String>> others = unusable.isEmpty() ? Map.of() : marks.others(client);
        boolean gives = wayGiver.isDue(unusable, others);
        if (gives) {
            LOG.warn(
                    "Giving leadership up for {}, which can use more than this node. This node cannot use {}. It contends"
                            + " again; the next time, another node must be better for {} s before this node gives way",
                    wayGiver.details().get("for"),
                    String.join(", ", unusable),
                    wayGiver.needed().toSeconds());
        }
        return gives;
    }

    /** Whether this node, which has just won, lets a better node lead. False if the registry cannot be asked. */
    boolean yields(CuratorFramework client) {
        Set<String> unusable = watch.unusable();
        if (unusable.isEmpty()) {
            return false;
        }
        Optional<String> better;
        try {
            better = WayGiver.better(unusable, marks.others(client));
        } catch (Exception e) {
            unknown(e);
            return false;
        }
        boolean yields = wayGiver.yields(better);
        if (yields) {
            LOG.info(
                    "This node won the election and lets {} lead, because this node cannot use {}",
                    better.get(),
                    String.join(", ", unusable));
        } else {
            LOG.warn(
                    "This node leads although it cannot use {}: no better node takes over. Check these parts",
                    String.join(", ", unusable));
        }
        return yields;
    }

    /** Handles a registry that could not be asked. */
    void unknown(Exception why) {
        wayGiver.reset();
        if (why instanceof KeeperException.NoAuthException && !refused) {
            refused = true;
            LOG.warn(
                    "ZooKeeper refuses this node access to the fitness marks, so no leader gives way to it: {}."
                            + " Allow this node to create and read nodes there",
                    why.getMessage());
        } else {
            LOG.debug("ZooKeeper could not be asked for the fitness of the other nodes", why);
        }
    }

    /** This node takes no part in the election now. */
    void reset() {
        wayGiver.reset();
    }

    /** Checks the mark in the registry again at the next round. */
    void recheck() {
        marks.recheck();
    }

    /** This node does not contend now. */
    void withdraw(CuratorFramework client) {
        wayGiver.reset();
        marks.withdraw(client);
    }

    /** Adds details for operators. */
    void details(Map<String, Object> details) {
        if (enabled) {
            details.put("cannotUse", watch.unusable());
            Map<String, Object> last = wayGiver.details();
            if (!last.isEmpty()) {
                details.put("gaveWay", last);
            }
        }
    }

    void close() {
        loop.close();
    }
}
