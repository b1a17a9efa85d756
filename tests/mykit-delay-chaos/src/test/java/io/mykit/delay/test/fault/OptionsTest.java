package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.test.fault.rig.BrokerKind;
import io.mykit.delay.test.fault.rig.MySqlKind;
import io.mykit.delay.test.fault.rig.RedisKind;
import io.mykit.delay.test.fault.rig.Variant;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void theUsual() {
        Options options = Options.parse();
        assertThat(options.minutes()).isEqualTo(5);
        assertThat(options.variant()).isEqualTo(Variant.USUAL);
        assertThat(options.faults())
                .contains("kill-redis", "cut-redis")
                .doesNotContain("older-redis", "failover-mysql");
        assertThat(options.help()).isFalse();
        assertThat(options.consumers()).isFalse();
        assertThat(options.namespaces()).isFalse();
    }

    @Test
    void allThatCanBeSaid() {
        Options options = Options.parse(
                "--minutes", "20", "--seed", "42", "--broker", "rocketmq", "--faults", "kill-leader,flush-redis");
        assertThat(options.minutes()).isEqualTo(20);
        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.variant()).isEqualTo(Variant.USUAL.with(BrokerKind.ROCKETMQ));
        assertThat(options.faults()).containsExactly("kill-leader", "flush-redis");
        assertThat(Options.parse("--help").help()).isTrue();
        assertThat(Options.parse("--consumers").consumers()).isTrue();
        assertThat(Options.parse("--namespaces").namespaces()).isTrue();
    }

    @Test
    void otherServersHaveOtherFaults() {
        Options options = Options.parse("--redis", "sentinel", "--mysql", "replica", "--broker", "rocketmq-pair");
        assertThat(options.variant())
                .isEqualTo(new Variant(RedisKind.SENTINEL, MySqlKind.REPLICA, BrokerKind.ROCKETMQ_PAIR));
        assertThat(options.faults())
                .contains("kill-redis", "failover-redis", "rebuild-sentinels", "failover-mysql", "kill-replica")
                .doesNotContain("cut-redis", "silent-redis", "slow-redis", "older-redis", "silent-shard", "move-slot");
        assertThat(Options.parse("--faults", "older-redis", "--redis", "rdb").faults())
                .containsExactly("older-redis");
        for (RedisKind redis : RedisKind.values()) {
            assertThat(Options.parse("--redis", redis.label()).variant()).isEqualTo(Variant.USUAL.with(redis));
        }
    }

    @Test
    void mistakesAreNamed() {
        refused("keydb", "--redis", "keydb");
        refused("primary", "--mysql", "primary");
        refused("cut-redis is not possible with --redis cluster", "--faults", "cut-redis", "--redis", "cluster");
        refused("older-redis is not possible with --redis memory", "--faults", "older-redis");
        refused("--faults", "--faults", "kill-everybody");
        refused("pulsar", "--broker", "pulsar");
        refused("--minutes", "--minutes", "0");
        refused("many", "--seed", "many");
        refused("--seed needs a value", "--seed");
        refused("--fast", "--fast");
    }

    private static void refused(String named, String... arguments) {
        assertThatThrownBy(() -> Options.parse(arguments))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named);
    }
}
