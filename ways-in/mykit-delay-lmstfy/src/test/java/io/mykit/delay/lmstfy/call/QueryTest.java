package io.mykit.delay.lmstfy.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryTest {
    @Test
    void theFirstValueCounts() {
        Query query = Query.of("a=1&a=2&b&c=x+y%2B&=z&d=%zz&&");
        assertThat(query.find("a")).contains("1");
        assertThat(query.find("b")).contains("");
        assertThat(query.find("c")).contains("x y+");
        assertThat(query.find("d")).isEmpty();
        assertThat(Query.of(null).find("a")).isEmpty();
    }

    @Test
    void numbersAreDigits() {
        assertThat(Query.of("n=4294967295").unsigned("n", 32, 7)).isEqualTo(4_294_967_295L);
        assertThat(Query.of("n=007").unsigned("n", 16, 7)).isEqualTo(7);
        assertThat(Query.NONE.unsigned("n", 16, 7)).isEqualTo(7);
        for (String bad : List.of("", "-1", "+1", "1.0", "65536", "x", "99999999999999999999", "\u0663", " 1")) {
            assertThatThrownBy(() -> Query.of("n=" + bad).unsigned("n", 16, 7))
                    .as(bad)
                    .isInstanceOf(Refusal.class)
                    .hasMessage("invalid n");
        }
    }

    @Test
    void someHaveASign() {
        assertThat(Query.of("n=-5").signed("n", 1)).isEqualTo(-5);
        assertThat(Query.of("n=%2B5").signed("n", 1)).isEqualTo(5);
        assertThat(Query.of("n=9223372036854775807").signed("n", 1)).isEqualTo(Long.MAX_VALUE);
        for (String bad : List.of("", "-", "9223372036854775808")) {
            assertThatThrownBy(() -> Query.of("n=" + bad).signed("n", 1)).hasMessage("invalid n");
        }
    }
}
