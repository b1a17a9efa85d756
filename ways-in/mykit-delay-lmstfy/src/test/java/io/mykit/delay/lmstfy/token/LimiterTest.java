package io.mykit.delay.lmstfy.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.lmstfy.call.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimiterTest {
    private static Limiter read(String json) {
        return Limiter.of(json.getBytes(UTF_8));
    }

    @Test
    void aNumberInAnIntervalIsARateOfASecond() {
        Limiter limiter = read("{\"read\":600,\"x\":{\"read\":[1]},\"write\":60,\"interval\":60}");
        limiter.check();
        assertThat(limiter.pullRate()).isEqualTo(10);
        assertThat(limiter.pushRate()).isEqualTo(1);
        assertThat(limiter.json()).isEqualTo("{\"read\":600,\"write\":60,\"interval\":60}");
    }

    @Test
    void aNumberThatIsMissingIsNoLimit() {
        Limiter limiter = read("{\"write\":5,\"interval\":1}");
        limiter.check();
        assertThat(limiter.pullRate()).isZero();
        assertThat(limiter.pushRate()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"interval\":1}|{\"limiter\":{\"read\":0,\"write\":0,\"interval\":1}}",
                "{\"read\":1}|{\"error\":\"interval should be > 0\"}",
                "{\"read\":7,\"interval\":2}|{\"error\":\"read must be a multiple of interval: limits here are whole"
                        + " numbers of jobs a second\"}",
                "{\"write\":1,\"interval\":60}|{\"error\":\"write must be a multiple of interval: limits here are whole"
                        + " numbers of jobs a second\"}",
                "{\"write\":3000003,\"interval\":3}|{\"error\":\"write divided by interval must be at most 1000000\"}"
            })
    void whatNoTokenCanHaveIsRefused(String json, String answer) {
        Limiter limiter = read(json);
        assertThatThrownBy(limiter::check).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.reply().status()).isEqualTo(400);
            assertThat(new String(refusal.reply().body(), UTF_8)).isEqualTo(answer);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}x",
                "{\"read\":\"x\"}",
                "{\"read\":-1}",
                "{\"read\":1.5}",
                "{\"interval\":null}",
                "{\"write\":2147483648}"
            })
    void whatIsNoLimiterIsRefused(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(DelayException.class);
    }
}
