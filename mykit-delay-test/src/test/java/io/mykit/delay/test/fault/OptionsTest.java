package io.mykit.delay.test.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.test.fault.injection.Faults;
import org.junit.jupiter.api.Test;

class OptionsTest {
    @Test
    void theUsual() {
        Options options = Options.parse();
        assertThat(options.minutes()).isEqualTo(5);
        assertThat(options.broker()).isEqualTo("activemq");
        assertThat(options.faults()).isEqualTo(Faults.names());
        assertThat(options.help()).isFalse();
    }

    @Test
    void allThatCanBeSaid() {
        Options options = Options.parse(
                "--minutes", "20", "--seed", "42", "--broker", "rocketmq", "--faults", "kill-leader,flush-redis");
        assertThat(options.minutes()).isEqualTo(20);
        assertThat(options.seed()).isEqualTo(42);
        assertThat(options.broker()).isEqualTo("rocketmq");
        assertThat(options.faults()).containsExactly("kill-leader", "flush-redis");
        assertThat(Options.parse("--help").help()).isTrue();
    }

    @Test
    void mistakesAreNamed() {
        refused("--faults", "--faults", "kill-everybody");
        refused("kafka", "--broker", "kafka");
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
