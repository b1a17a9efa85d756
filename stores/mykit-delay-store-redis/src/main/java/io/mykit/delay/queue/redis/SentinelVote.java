package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;

/**
 * Decides which master the bridge follows when sentinels disagree. Usually this is the master with the highest
 * configuration epoch. Sentinels that were set up anew (new pods, SENTINEL REMOVE and MONITOR) count from 0 again. Then the
 * bridge follows a master with a lower epoch when a majority of the sentinels has named it for ten seconds. Five seconds
 * are enough while the current master refuses or is silent. If no majority of sentinels answers in that state, all
 * sentinels that answer must agree.
 *
 * <p>These times are longer than the two seconds in which sentinels tell each other of an ordinary failover. During a
 * failover, most sentinels still name the old master, with its lower epoch. One thread uses it.
 */
final class SentinelVote {
    private static final Logger LOG = LoggerFactory.getLogger(SentinelVote.class);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long DOUBTFUL_PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
    /** A candidate that no vote has named for so long starts from zero. Each sentinel is asked every few seconds. */
    private static final long FORGET_NANOS = Duration.ofSeconds(8).toNanos();

    private final LongSupplier nanoTime;
    private HostAndPort candidate;
    private long sinceNanos;
    private long seenNanos;
    /**
     * The master that the bridge left although its epoch is higher. One sentinel that still names it is not enough to
     * return to it.
     */
    private SentinelWord left = SentinelWord.NONE;

    SentinelVote(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether the word of one sentinel is enough. */
    boolean mayFollow(SentinelWord word, SentinelWord current) {
        return word.master().equals(current.master()) || (word.epoch() >= current.epoch() && !word.equals(left));
    }

    /**
     * The master to follow; empty = the current one.
     *
     * @param words of the sentinels that answered
     * @param sentinels the number of all sentinels
     * @param doubtful whether the current master refuses, or is silent
     */
    Optional<SentinelWord> decide(List<SentinelWord> words, int sentinels, SentinelWord current, boolean doubtful) {
        for (SentinelWord word : words) {
            if (word.epoch() > current.epoch() && !word.equals(left)) {
                return Optional.of(word);
            }
        }
        SentinelWord named = named(words, sentinels, doubtful);
        if (named == null || named.master().equals(current.master())) {
            candidate = null;
            return Optional.empty();
        }
        long now = nanoTime.getAsLong();
        if (!named.master().equals(candidate) || now - seenNanos > FORGET_NANOS) {
            candidate = named.master();
            sinceNanos = now;
            LOG.info(
                    "Redis sentinels name master {} with a lower epoch ({}); this node follows it if the vote lasts 5 to 10 s",
                    candidate,
                    named.epoch());
        }
        seenNanos = now;
        if (now - sinceNanos < (doubtful ? DOUBTFUL_PATIENCE_NANOS : PATIENCE_NANOS)) {
            return Optional.empty();
        }
        LOG.warn(
                "Redis sentinels were set up anew: this node follows master {} with epoch {}, and leaves {} with epoch {}",
                named.master(),
                named.epoch(),
                current.master(),
                current.epoch());
        left = current;
        candidate = null;
        return Optional.of(named);
    }

    /** The master that enough sentinels agree on; null = none. */
    private static SentinelWord named(List<SentinelWord> words, int sentinels, boolean doubtful) {
        Map<HostAndPort, Integer> votes = new HashMap<>();
        for (SentinelWord word : words) {
            int count = votes.merge(word.master(), 1, Integer::sum);
            boolean allAgree = doubtful && count == words.size() && words.size() * 2 <= sentinels;
            if (count * 2 > sentinels || allAgree) {
                return word;
            }
        }
        return null;
    }
}
