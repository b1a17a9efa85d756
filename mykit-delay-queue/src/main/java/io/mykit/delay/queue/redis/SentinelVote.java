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
 * Which master is followed when sentinels disagree. Usually the one with the highest configuration epoch. Sentinels that
 * were set up anew (new pods, SENTINEL REMOVE and MONITOR) count from 0 again: then a master with a lower epoch is followed
 * once a majority of the sentinels has named it for ten seconds. Five seconds are enough while the master in use refuses or
 * is silent; and if no majority can be asked then, all that answer must agree.
 *
 * <p>The time is longer than sentinels need to tell each other of an ordinary failover (two seconds): meanwhile most of them
 * still name the old master, by its lower epoch. Used by one thread.
 */
final class SentinelVote {
    private static final Logger LOG = LoggerFactory.getLogger(SentinelVote.class);
    private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long DOUBTFUL_PATIENCE_NANOS = Duration.ofSeconds(5).toNanos();
    /** A candidate that was not seen for so long begins anew. Each sentinel is asked every few seconds. */
    private static final long FORGET_NANOS = Duration.ofSeconds(8).toNanos();

    private final LongSupplier nanoTime;
    private HostAndPort candidate;
    private long sinceNanos;
    private long seenNanos;
    /** Was left although its epoch is higher: one sentinel that still says so is not enough to return. */
    private SentinelWord left = SentinelWord.NONE;

    SentinelVote(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether one sentinel is enough to be believed. */
    boolean mayFollow(SentinelWord word, SentinelWord current) {
        return word.master().equals(current.master()) || (word.epoch() >= current.epoch() && !word.equals(left));
    }

    /**
     * What is to be followed; empty = the current master.
     *
     * @param words of the sentinels that answered
     * @param sentinels how many there are
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
            LOG.info("Redis sentinels name {} by a lower configuration epoch ({})", candidate, named.epoch());
        }
        seenNanos = now;
        if (now - sinceNanos < (doubtful ? DOUBTFUL_PATIENCE_NANOS : PATIENCE_NANOS)) {
            return Optional.empty();
        }
        LOG.warn(
                "Redis sentinels have started anew: master {} is followed by epoch {}, although {} had {}",
                named.master(),
                named.epoch(),
                current.master(),
                current.epoch());
        left = current;
        candidate = null;
        return Optional.of(named);
    }

    /** The master that enough of them agree on; null = none. */
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
