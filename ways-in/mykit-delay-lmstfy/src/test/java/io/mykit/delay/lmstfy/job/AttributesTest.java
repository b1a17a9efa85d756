package io.mykit.delay.lmstfy.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.ports.call.Query;
import io.mykit.delay.ports.call.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AttributesTest {
    private static Request request(String... headers) {
        List<Map.Entry<String, String>> all = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(Map.entry(headers[i], headers[i + 1]));
        }
        return new Request("PUT", List.of(), "/", Query.NONE, all, new byte[0], false, "a", then -> {});
    }

    @Test
    void needTheirSwitch() {
        assertThat(Attributes.of(request("Job-Attr-A", "b"))).isEmpty();
        assertThat(Attributes.of(request("Enable-Job-Version", "NO", "Job-Attr-A", "b")))
                .isEmpty();
        assertThat(Attributes.of(request("enable-job-version", "yes", "Job-Attr-A", "b")))
                .isEqualTo(Map.of("a", "b"));
    }

    @Test
    void theFirstValueCountsAndAllAreCut() {
        assertThat(Attributes.of(request(
                        "Enable-Job-Version",
                        "YES",
                        "JOB-ATTR-A",
                        "1",
                        "job-attr-a",
                        "2",
                        "job-attr-b",
                        "",
                        "job-attr-",
                        "x",
                        "job-attr-" + "k".repeat(33),
                        "\u4e2d".repeat(43))))
                .isEqualTo(Map.of("a", "1", "k".repeat(32), "\u4e2d".repeat(42)));
    }

    @Test
    void areSixteenAtMost() {
        List<String> headers = new ArrayList<>(List.of("Enable-Job-Version", "YES"));
        for (int i = 0; i < 16; i++) {
            headers.addAll(List.of("job-attr-" + i, "v"));
        }
        assertThat(Attributes.of(request(headers.toArray(String[]::new)))).hasSize(16);
        headers.addAll(List.of("job-attr-x", "v"));
        assertThatThrownBy(() -> Attributes.of(request(headers.toArray(String[]::new))))
                .hasMessage("too many attributes, cannot exceed 16");
    }

    @Test
    void comeBackFromTheHeadersOfAMessage() {
        for (String name : List.of("host", "a b", "\u4e2d%2f", "x_-.9")) {
            String header = Attributes.header(name);
            assertThat(header).matches("job-attr-[a-z0-9_.%-]+");
            assertThat(Attributes.json(Map.of(header, "v", "other", "w"))).isEqualTo("{\"" + name + "\":\"v\"}");
        }
        assertThat(Attributes.json(Map.of("other", "w"))).isEqualTo("null");
    }
}
