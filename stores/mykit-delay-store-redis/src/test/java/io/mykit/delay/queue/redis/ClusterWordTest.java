package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisDataException;

class ClusterWordTest {
    private static final HostAndPort ASKED = new HostAndPort("asked", 7000);
    /** Of Redis 7; older ones have no host names, and Valkey has more words after the address. */
    private static final String NODES = """
            aaa 10.0.0.1:6379@16379,redis-a slave bbb 0 1 7 connected
            bbb 10.0.0.2:6379@16379,redis-b,,tls-port=0,shard-id=f5 myself,master - 0 0 7 connected 0-99 101-200
            ccc :0@0 master,noaddr - 1 1 3 disconnected 201-16383
            """;

    @Test
    void joinsAddressesForClientsWithEpochsByTheIdsOfTheNodes() {
        ClusterWord word = ClusterWord.of(ASKED, replies("cluster_enabled:1\r\ncluster_state:ok\r\n", NODES));
        HostAndPort master = new HostAndPort("redis-b", 6379);
        assertThat(word.serves()).isTrue();
        assertThat(word.refusal()).isNull();
        assertThat(word.members()).containsExactlyInAnyOrder("aaa", "bbb", "ccc");
        assertThat(word.ranges())
                .containsExactly(
                        new ClusterWord.Range(0, 99, master, 7),
                        new ClusterWord.Range(101, 200, master, 7),
                        new ClusterWord.Range(201, 16_383, new HostAndPort("asked", 6381), 3));
        assertThat(word.nodes())
                .as("masters first")
                .containsExactly(master, new HostAndPort("asked", 6381), new HostAndPort("redis-a", 6379));
    }

    @Test
    void aNodeThatReachesNoMajorityDoesNotServe() {
        assertThat(ClusterWord.of(ASKED, replies("cluster_state:fail\r\n", NODES))
                        .serves())
                .isFalse();
    }

    @Test
    void withoutTheRightToReadEpochsTheTableIsTakenAsItIs() {
        JedisDataException refusal = new JedisAccessControlException("NOPERM no 'cluster|nodes'");
        ClusterWord word = ClusterWord.of(ASKED, List.of(Replies.bytes("cluster_state:ok"), refusal, slots()));
        assertThat(word.refusal()).contains("cluster|nodes");
        assertThat(word.serves()).isTrue();
        assertThat(word.members()).isEmpty();
        assertThat(word.ranges()).hasSize(3).allMatch(range -> range.epoch() == 0);
    }

    @Test
    void aServerThatIsNoPartOfAClusterIsAFailure() {
        JedisDataException refusal = new JedisDataException("ERR This instance has cluster support disabled");
        assertThatThrownBy(() -> ClusterWord.of(ASKED, List.of(refusal, refusal, refusal)))
                .isSameAs(refusal);
    }

    private static List<?> replies(String info, String nodes) {
        return List.of(Replies.bytes(info), Replies.bytes(nodes), slots());
    }

    private static List<?> slots() {
        List<?> a = List.of(Replies.bytes("redis-a"), 6379L, Replies.bytes("aaa"), List.of());
        List<?> b = List.of(Replies.bytes("redis-b"), 6379L, Replies.bytes("bbb"), List.of());
        List<?> c = List.of(Replies.bytes(""), 6381L, Replies.bytes("ccc"));
        return List.of(List.of(0L, 99L, b, a), List.of(101L, 200L, b, a), List.of(201L, 16_383L, c));
    }
}
