package io.mykit.delay.ports.call;

import static org.assertj.core.api.Assertions.assertThat;

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
}
