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
 * How this node stands beside the other contenders: what it cannot use, what they say that they cannot, and whether it gives
 * way to one of them. For the election's thread, save {@link #details}; asking the parts has a thread of its own.
 */
final class Standing {
    /** How often the others are looked at, where that matters. */
    static final Duration ROUND = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Standing.class);
    private static final Backoff RETRY = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));
    /** A part is asked so often in the period, but not more than once a second and not less than once in two. */
    private static final int ROUNDS = 5;

    private static final Duration LONGEST_ROUND = Duration.ofSeconds(2);
    /** A part that comes and goes more often than so many times in the period counts as gone. */
    private static final int STEADY_PARTS = 3;

    private final boolean enabled;
    private final FitnessWatch watch;
    private final LoopRunner loop;
    private final FitnessMarks marks;
    private final WayGiver wayGiver;
    /** Told once. */
    private boolean refused;

    /** @param period how long another must be better; zero = nothing is asked, said or given way to */
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
     * Says how this node is, if that changed, and looks at the others if it leads and is not well.
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
                    "Giving leadership up for {}, which can use more than this node; this node cannot use {}. It contends"
                            + " again; another node has to be better for {} s before it gives way the next time",
                    wayGiver.details().get("for"),
                    String.join(", ", unusable),
                    wayGiver.needed().toSeconds());
        }
        return gives;
    }

    /** Whether this node, which has just won, lets a better one go first. Not, if the registry cannot be asked. */
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
                    "Won the election and lets {} go first: this node cannot use {}",
                    better.get(),
                    String.join(", ", unusable));
        } else {
            LOG.warn(
                    "Leading although this node cannot use {}: no other node can use more and takes over",
                    String.join(", ", unusable));
        }
        return yields;
    }

    /** The registry could not be asked. */
    void unknown(Exception why) {
        wayGiver.reset();
        if (why instanceof KeeperException.NoAuthException && !refused) {
            refused = true;
            LOG.warn(
                    "ZooKeeper does not let this node tell or see which nodes can use their parts, so no leader gives way"
                            + " to it: {}. Allow it to create and read nodes there",
                    why.getMessage());
        } else {
            LOG.debug("The registry could not be asked how the others are", why);
        }
    }

    /** This node has no part in the election for now. */
    void reset() {
        wayGiver.reset();
    }

    /** Has the mark in the registry looked at once more. */
    void recheck() {
        marks.recheck();
    }

    /** This node does not contend for now. */
    void withdraw(CuratorFramework client) {
        wayGiver.reset();
        marks.withdraw(client);
    }

    /** For a person. */
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
