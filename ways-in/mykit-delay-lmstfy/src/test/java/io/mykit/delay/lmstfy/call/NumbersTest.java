package io.mykit.delay.lmstfy.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.ports.call.Query;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void numbersAreDigits() {
        assertThat(Numbers.unsigned(Query.of("n=4294967295"), "n", 32, 7)).isEqualTo(4_294_967_295L);
        assertThat(Numbers.unsigned(Query.of("n=007"), "n", 16, 7)).isEqualTo(7);
        assertThat(Numbers.unsigned(Query.NONE, "n", 16, 7)).isEqualTo(7);
        for (String bad : List.of("", "-1", "+1", "1.0", "65536", "x", "99999999999999999999", "\u0663", " 1")) {
            assertThatThrownBy(() -> Numbers.unsigned(Query.of("n=" + bad), "n", 16, 7))
                    .as(bad)
                    .isInstanceOf(Refusal.class)
                    .hasMessage("invalid n");
        }
    }

    @Test
    void someHaveASign() {
        assertThat(Numbers.signed(Query.of("n=-5"), "n", 1)).isEqualTo(-5);
        assertThat(Numbers.signed(Query.of("n=%2B5"), "n", 1)).isEqualTo(5);
        assertThat(Numbers.signed(Query.of("n=9223372036854775807"), "n", 1)).isEqualTo(Long.MAX_VALUE);
        for (String bad : List.of("", "-", "9223372036854775808")) {
            assertThatThrownBy(() -> Numbers.signed(Query.of("n=" + bad), "n", 1))
                    .hasMessage("invalid n");
        }
    }
}
