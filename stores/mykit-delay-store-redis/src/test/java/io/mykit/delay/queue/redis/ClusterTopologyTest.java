package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Three masters, A, B and C; R is the replica of A. */
class ClusterTopologyTest {
    private static final long TIMEOUT_NANOS = 700_000_000L;
    private static final HostAndPort A = new HostAndPort("a", 1);
    private static final HostAndPort B = new HostAndPort("b", 1);
    private static final HostAndPort C = new HostAndPort("c", 1);
    private static final HostAndPort R = new HostAndPort("r", 1);

    private final AtomicLong nanos = new AtomicLong();
    private final Map<HostAndPort, ClusterWord> words = new HashMap<>();
    private final List<HostAndPort> asked = new ArrayList<>();
    private ClusterTopology topology = topology(A, B, C);

    @Test
    void aMasterThatIsAloneIsNotBelieved() {
        whole();
        topology.refresh(false);
        promote();
        for (int i = 0; i < 6; i++) {
            topology.refresh(i % 2 == 0);
            assertThat(topology.nodeOf(0)).isEqualTo(R);
        }
    }

    @Test
    void theOnlyHostOfTheConfigurationMayBeAlone() {
        topology = topology(A);
        whole();
        promote();
        topology.refresh(false);
        assertThat(topology.nodeOf(0)).isEqualTo(R);
        assertThat(topology.nodeOf(1)).isEqualTo(B);
    }

    @Test
    void aMasterThatDoesNotKnowYetThatItIsAloneIsNotBelieved() {
        whole();
        topology.refresh(false);
        promote();
        words.put(A, word(true, A, 1));
        for (int i = 0; i < 6; i++) {
            topology.refresh(true);
            assertThat(topology.nodeOf(0)).isEqualTo(R);
        }
    }

    @Test
    void atRestOneNodeIsAskedAndInDoubtAMajority() {
        whole();
        topology.refresh(false);
        asked.clear();
        topology.refresh(false);
        assertThat(asked).as("at rest").hasSize(1);
        asked.clear();
        topology.refresh(true);
        assertThat(asked).as("a majority").hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void mastersAreCertainOnlyIfAMajorityAgreed() {
        whole();
        assertThat(topology.refresh(false)).isTrue();
        assertThat(topology.refresh(false)).as("one answer").isFalse();
        words.remove(B);
        assertThat(topology.refresh(true)).isTrue();
        // This node is on the side of the master that does not know yet that it is alone.
        words.remove(C);
        assertThat(topology.refresh(true)).isFalse();
        assertThat(topology.nodeOf(0)).isEqualTo(A);
    }

    @Test
    void aSilentMasterIsAskedLast() {
        whole();
        topology.refresh(false);
        words.remove(A);
        topology.refresh(true);
        topology.refresh(true);
        topology.refresh(true);
        asked.clear();
        long before = nanos.get();
        for (int i = 0; i < 6; i++) {
            topology.refresh(true);
        }
        assertThat(asked).isNotEmpty().doesNotContain(A);
        assertThat(nanos.get()).as("no wait for its answer").isEqualTo(before);
    }

    @Test
    void aReadIsBoundedAndTheNextOneAsksTheOthersFirst() {
        assertThatThrownBy(() -> topology.refresh(true))
                .isInstanceOf(JedisException.class)
                .hasMessageContaining("silent");
        assertThat(asked).as("in 1.5 s").hasSize(3);
        topology = topology(A, B, C, R);
        asked.clear();
        assertThatThrownBy(() -> topology.refresh(true)).isInstanceOf(JedisException.class);
        assertThat(asked).containsExactly(A, B, C);
        words.put(R, word(true, R, 7));
        topology.refresh(true);
        assertThat(topology.nodeOf(0)).isEqualTo(R);
    }

    @Test
    void whileNoNodeServesTheMastersAreKnownNevertheless() {
        for (HostAndPort node : List.of(A, B, C)) {
            words.put(node, word(false, A, 1));
        }
        topology.refresh(false);
        assertThat(topology.nodeOf(0)).isEqualTo(A);
    }

    private ClusterTopology topology(HostAndPort... seeds) {
        return new ClusterTopology(List.of(seeds), this::ask, nanos::get);
    }

    private ClusterWord ask(HostAndPort node) {
        asked.add(node);
        if (!words.containsKey(node)) {
            nanos.addAndGet(TIMEOUT_NANOS);
            throw new JedisConnectionException("silent");
        }
        return words.get(node);
    }

    private void whole() {
        for (HostAndPort node : List.of(A, B, C)) {
            words.put(node, word(true, A, 1));
        }
    }

    /** The peers of A cannot reach it. */
    private void promote() {
        for (HostAndPort node : List.of(R, B, C)) {
            words.put(node, word(true, R, 7));
        }
        words.put(A, word(false, A, 1));
    }

    private static ClusterWord word(boolean serves, HostAndPort first, long epoch) {
        List<ClusterWord.Range> ranges = List.of(
                new ClusterWord.Range(0, 0, first, epoch),
                new ClusterWord.Range(1, 1, B, 2),
                new ClusterWord.Range(2, 2, C, 3));
        Set<HostAndPort> nodes = new LinkedHashSet<>(List.of(first, B, C, first.equals(A) ? R : A));
        return new ClusterWord(serves, ranges, Set.of("a", "b", "c", "r"), nodes, null);
    }
}
