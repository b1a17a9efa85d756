package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

class SentinelVoteTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HostAndPort OLD = new HostAndPort("old", 1);
    private static final HostAndPort NEW = new HostAndPort("new", 1);
    private static final SentinelWord CURRENT = new SentinelWord(OLD, 7);
    private static final SentinelWord ANEW = new SentinelWord(NEW, 0);

    private final AtomicLong nanos = new AtomicLong();
    private final SentinelVote vote = new SentinelVote(nanos::get);

    @Test
    void aHigherEpochIsBelievedAtOnce() {
        assertThat(vote.mayFollow(new SentinelWord(NEW, 8), CURRENT)).isTrue();
        assertThat(vote.mayFollow(ANEW, SentinelWord.NONE)).isTrue();
        assertThat(vote.mayFollow(ANEW, CURRENT)).isFalse();
    }

    @Test
    void aMajorityIsFollowedAfterTenSeconds() {
        List<SentinelWord> words = List.of(CURRENT, ANEW, ANEW);
        for (int second = 0; second < 10; second++) {
            assertThat(vote.decide(words, 3, CURRENT, false)).isEmpty();
            nanos.addAndGet(SECOND);
        }
        assertThat(vote.decide(words, 3, CURRENT, false)).contains(ANEW);
        assertThat(vote.mayFollow(CURRENT, ANEW)).as("the one that lags behind").isFalse();
        assertThat(vote.decide(words, 3, ANEW, false)).isEmpty();
        assertThat(vote.mayFollow(new SentinelWord(OLD, 8), ANEW))
                .as("a failover")
                .isTrue();
    }

    @Test
    void sentinelsThatHaveNotHeardOfAFailoverYetAreNotFollowed() {
        SentinelWord promoted = new SentinelWord(NEW, 8);
        List<SentinelWord> lagging = List.of(promoted, CURRENT, CURRENT);
        for (int second = 0; second < 3; second++) {
            assertThat(vote.decide(lagging, 3, promoted, true)).isEmpty();
            nanos.addAndGet(SECOND);
        }
        assertThat(vote.decide(List.of(promoted, promoted, promoted), 3, promoted, false))
                .isEmpty();
        nanos.addAndGet(20 * SECOND);
        assertThat(vote.decide(lagging, 3, promoted, true)).as("begins anew").isEmpty();
    }

    @Test
    void withoutAMajorityAllThatAnswerMustAgreeAndTheMasterMustBeInDoubt() {
        for (int second = 0; second < 20; second++) {
            assertThat(vote.decide(List.of(ANEW), 3, CURRENT, false)).isEmpty();
            nanos.addAndGet(SECOND);
        }
        for (int second = 0; second < 5; second++) {
            assertThat(vote.decide(List.of(ANEW), 3, CURRENT, true)).isEmpty();
            nanos.addAndGet(SECOND);
        }
        assertThat(vote.decide(List.of(ANEW), 3, CURRENT, true)).contains(ANEW);
    }

    @Test
    void oneAgainstOneDecidesNothing() {
        for (int second = 0; second < 20; second++) {
            assertThat(vote.decide(List.of(ANEW, CURRENT), 3, CURRENT, true)).isEmpty();
            nanos.addAndGet(SECOND);
        }
    }
}
