package io.mykit.delay.ports.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesObjectsAndArrays() {
        assertThat(Json.object().text("a", "b").number("n", -1).raw("r", "null").end())
                .isEqualTo("{\"a\":\"b\",\"n\":-1,\"r\":null}");
        assertThat(Json.array(List.of("x", "y"))).isEqualTo("[\"x\",\"y\"]");
        assertThat(Json.map(Map.of())).isEqualTo("{}");
    }

    @Test
    void escapesWhatJsonDemands() {
        assertThat(Json.quoted("\"\\\n\u0000\u4e2d\ud83d\ude00"))
                .isEqualTo("\"\\\"\\\\\\u000a\\u0000\u4e2d\\ud83d\\ude00\"");
    }
}
