package io.mykit.delay.grape.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Refused;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
    private static long dtr(String query) {
        return Parameters.milliseconds(Query.of(query), "dtr", GrapeError.JOB_DTR, 0, 1000);
    }

    @Test
    void aTimeIsANumberInItsBounds() {
        assertThat(dtr("")).isZero();
        assertThat(dtr("dtr=7")).isEqualTo(7);
        assertThat(dtr("dtr=%2B7")).isEqualTo(7);
        assertThat(dtr("dtr=-7")).isZero();
        assertThat(dtr("dtr=1000")).isEqualTo(1000);
        assertThat(dtr("dtr=1&dtr=2")).isEqualTo(1);
        assertThatThrownBy(() -> dtr("dtr=1001")).hasMessage("job dtr is greater than 1000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.0", "+1", "9223372036854775808", "0x1", "--1"})
    void allElseIsRefused(String text) {
        // A plus in a query is a blank.
        assertThatThrownBy(() -> dtr("dtr=" + text)).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reply().status()).isEqualTo(400);
            assertThat(new String(refused.reply().body(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"code\":2002,\"desc\":\"job dtr is invalid\"}");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'',1",
        "max=,1",
        "max=x,1",
        "max=0,1",
        "max=-3,1",
        "max=7,7",
        "max=100,100",
        "max=101,100",
        "max=2147483648,1"
    })
    void rubbishCountsAsOneJob(String query, int max) {
        assertThat(Parameters.max(Query.of(query), 100)).isEqualTo(max);
    }

    @Test
    void anIdIsNotEmpty() {
        assertThat(Parameters.jid(Query.of("jid=a"))).isEqualTo("a");
        for (String query : new String[] {"", "jid", "jid="}) {
            assertThatThrownBy(() -> Parameters.jid(Query.of(query))).hasMessage("job id is empty");
        }
        assertThat(Parameters.tube(Query.of("jid=a"))).isEmpty();
    }
}
