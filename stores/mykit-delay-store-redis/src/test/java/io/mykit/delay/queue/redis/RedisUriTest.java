package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.value.Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

class RedisUriTest {
    @Test
    void readsOneServer() {
        RedisUri uri = parse("redis://localhost");
        assertThat(uri.mode()).isEqualTo(RedisUri.Mode.SINGLE);
        assertThat(uri.tls()).isFalse();
        assertThat(uri.hosts()).containsExactly(new HostAndPort("localhost", 6379));
        assertThat(uri.database()).isZero();
        assertThat(parse("redis://h:1/7").database()).isEqualTo(7);
        assertThat(parse("redis://h:1/").database()).isZero();
        assertThat(parse("rediss://h:6380").tls()).isTrue();
        assertThat(parse("redis://[::1]:6380/2").hosts()).containsExactly(new HostAndPort("::1", 6380));
        assertThat(parse("redis://[::1]").hosts()).containsExactly(new HostAndPort("::1", 6379));
    }

    @Test
    void decodesCredentials() {
        RedisUri uri = parse("redis://us%40er:p%3Aw%2F%25+%C3%A9@h");
        assertThat(uri.user().reveal()).isEqualTo("us@er");
        assertThat(uri.password().reveal()).isEqualTo("p:w/%+\u00e9");
        assertThat(parse("redis://:p@ss@h").password().reveal()).isEqualTo("p@ss");
        assertThat(uri.toString()).doesNotContain("us@er", "p:w");
    }

    @Test
    void readsSentinels() {
        RedisUri uri = parse("redis-sentinel://:pw@a:1,b,[::1]:3/my%2Fmaster/5");
        assertThat(uri.mode()).isEqualTo(RedisUri.Mode.SENTINEL);
        assertThat(uri.hosts())
                .containsExactly(new HostAndPort("a", 1), new HostAndPort("b", 26379), new HostAndPort("::1", 3));
        assertThat(uri.master()).isEqualTo("my/master");
        assertThat(uri.database()).isEqualTo(5);
        assertThat(parse("redis-sentinel://a/m").database()).isZero();
    }

    @Test
    void readsClusters() {
        RedisUri uri = parse("redis-cluster://user:pw@a:1,b:2/");
        assertThat(uri.mode()).isEqualTo(RedisUri.Mode.CLUSTER);
        assertThat(uri.user().reveal()).isEqualTo("user");
        assertThat(uri.hosts()).containsExactly(new HostAndPort("a", 1), new HostAndPort("b", 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hunter2",
                "http://:hunter2@h",
                "redis://",
                "redis://:hunter2@",
                "redis://hunter2@h",
                "redis://:hunter2@h:port",
                "redis://:hunter2@h:0",
                "redis://:hunter2@h:65536",
                "redis://:hunter2@h/db",
                "redis://:hunter2@h/-1",
                "redis://:hunter2@h/0/1",
                "redis://:hunter2@a,b",
                "redis://:hunter2%zz@h",
                "redis-sentinel://:hunter2@a:1",
                "redis-sentinel://:hunter2@a:1/",
                "redis-sentinel://:hunter2@a,,b/m",
                "redis-cluster://:hunter2@a:1/0"
            })
    void refusesTheRestWithoutShowingIt(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mykit.delay.redis.uri")
                .hasMessageContaining("redis-sentinel://")
                .hasMessageNotContaining("hunter2")
                .hasNoCause();
    }

    private static RedisUri parse(String text) {
        return RedisUri.parse(new Secret(text));
    }
}
