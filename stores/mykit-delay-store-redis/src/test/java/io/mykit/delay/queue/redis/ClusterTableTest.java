package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

class ClusterTableTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HostAndPort A = new HostAndPort("a", 1);
    private static final HostAndPort B = new HostAndPort("b", 1);
    private static final HostAndPort PROMOTED = new HostAndPort("replica-of-a", 1);
    private static final Set<String> IDS = Set.of("a", "b", "replica-of-a");

    private final AtomicLong nanos = new AtomicLong();
    private final ClusterTable table = new ClusterTable(nanos::get);

    @Test
    void eachSlotHasTheMasterWithTheHighestEpoch() {
        table.take(word(range(0, 99, A, 1), range(100, 199, B, 2)));
        assertThat(table.take(word(range(0, 99, PROMOTED, 7), range(100, 199, B, 2))))
                .isTrue();
        // Slot 150 moved to the first master, which has not heard of the failover.
        assertThat(table.take(word(range(0, 99, A, 1), range(100, 149, B, 2), range(150, 150, A, 8))))
                .as("agrees")
                .isFalse();
        assertThat(table.masterOf(0)).isEqualTo(PROMOTED);
        assertThat(table.masterOf(149)).isEqualTo(B);
        assertThat(table.masterOf(150)).isEqualTo(A);
        assertThat(table.masterOf(16_383)).isNull();
    }

    @Test
    void aNodeThatDoesNotServeFillsGapsOnly() {
        ClusterWord alone = alone(range(0, 99, A, 1), range(100, 199, B, 2));
        table.settle(List.of(alone), false);
        assertThat(table.masterOf(0)).isEqualTo(A);
        assertThat(table.take(word(range(0, 99, PROMOTED, 0)))).as("any epoch").isTrue();
        // A takeover by hand on the side of a minority: the epoch is higher, and no majority has agreed.
        for (int second = 0; second < 30; second++) {
            table.settle(List.of(alone(range(0, 99, A, 9))), false);
            nanos.addAndGet(SECOND);
        }
        assertThat(table.masterOf(0)).isEqualTo(PROMOTED);
    }

    @Test
    void aClusterThatWasSetUpAnewIsFollowedAfterTenSeconds() {
        read(word(range(0, 199, PROMOTED, 9)));
        ClusterWord anew = new ClusterWord(true, List.of(range(0, 199, B, 1)), Set.of("x"), Set.of(), null);
        for (int second = 0; second < 10; second++) {
            read(anew);
            assertThat(table.masterOf(0)).isEqualTo(PROMOTED);
            nanos.addAndGet(SECOND);
        }
        read(anew);
        assertThat(table.masterOf(0)).isEqualTo(B);
        assertThat(read(word(range(0, 199, PROMOTED, 9))))
                .as("of the cluster before")
                .isFalse();
        assertThat(table.masterOf(0)).isEqualTo(B);
    }

    @Test
    void lowerEpochsOfTheSameNodesAreFollowedAfterTenSecondsToo() {
        read(word(range(0, 199, PROMOTED, 9)));
        ClusterWord lower = word(range(0, 199, A, 1));
        read(lower);
        nanos.addAndGet(9 * SECOND);
        read(lower, word(range(0, 199, PROMOTED, 9)));
        nanos.addAndGet(SECOND);
        read(lower);
        assertThat(table.masterOf(0)).as("a node agreed in between").isEqualTo(PROMOTED);
        nanos.addAndGet(10 * SECOND);
        read(lower);
        assertThat(table.masterOf(0)).isEqualTo(A);
        assertThat(read(word(range(0, 199, PROMOTED, 2)))).as("a failover").isTrue();
    }

    @Test
    void ofTwoNewClustersTheOneWithMoreNodesIsFollowed() {
        read(word(range(0, 199, A, 9)));
        ClusterWord stray = new ClusterWord(true, List.of(range(0, 199, A, 5)), Set.of("s"), Set.of(), null);
        Set<String> ids = Set.of("x", "y");
        ClusterWord x = new ClusterWord(true, List.of(range(0, 199, B, 1)), ids, Set.of(), null);
        ClusterWord y = new ClusterWord(true, List.of(range(0, 199, B, 1)), ids, Set.of(), null);
        read(stray, x, y);
        nanos.addAndGet(10 * SECOND);
        read(stray, x, y);
        assertThat(table.masters()).containsExactly(B);
    }

    @Test
    void aRedirectionIsFollowedAtOnceAndTheNextWordDecides() {
        table.moved(5, A);
        assertThat(table.masterOf(5)).isEqualTo(A);
        table.take(word(range(0, 99, B, 4)));
        assertThat(table.masters()).containsExactly(B);
        table.moved(5, A);
        assertThat(table.masterOf(5)).isEqualTo(A);
        assertThat(table.take(word(range(0, 99, B, 4)))).isTrue();
        assertThat(table.masterOf(5)).isEqualTo(B);
    }

    private boolean read(ClusterWord... words) {
        boolean agreed = false;
        for (ClusterWord word : words) {
            agreed |= table.take(word);
        }
        table.settle(List.of(words), agreed);
        return agreed;
    }

    private static ClusterWord.Range range(int first, int last, HostAndPort master, long epoch) {
        return new ClusterWord.Range(first, last, master, epoch);
    }

    private static ClusterWord word(ClusterWord.Range... ranges) {
        return new ClusterWord(true, Arrays.asList(ranges), IDS, Set.of(), null);
    }

    private static ClusterWord alone(ClusterWord.Range... ranges) {
        return new ClusterWord(false, Arrays.asList(ranges), IDS, Set.of(), null);
    }
}
