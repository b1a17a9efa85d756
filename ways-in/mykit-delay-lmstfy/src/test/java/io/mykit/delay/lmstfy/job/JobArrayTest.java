package io.mykit.delay.lmstfy.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobArrayTest {
    private static List<String> split(String text) {
        return JobArray.split(text.getBytes(UTF_8), 64).orElseThrow().stream()
                .map(element -> new String(element, UTF_8))
                .toList();
    }

    @Test
    void keepsTheTextOfEachElement() {
        assertThat(split("\n[ \"a\\\"]\" ,{\"k\": [1, 2 ] , \"l\":{}},-1.5e+3,0,true,null,[], \"\u4e2d\\u00e9\"]\t"))
                .containsExactly(
                        "\"a\\\"]\"",
                        "{\"k\": [1, 2 ] , \"l\":{}}",
                        "-1.5e+3",
                        "0",
                        "true",
                        "null",
                        "[]",
                        "\"\u4e2d\\u00e9\"");
        assertThat(split("[]")).isEmpty();
    }

    @Test
    void isStrict() {
        for (String bad : List.of(
                "",
                "{}",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[01]",
                "[1.]",
                "[1e]",
                "[-]",
                "[+1]",
                "[tru]",
                "[\"a]",
                "[\"\\x\"]",
                "[\"\\u12g4\"]",
                "[\"\n\"]",
                "[{1:2}]",
                "[{\"a\"}]",
                "[{\"a\":1,}]",
                "[]x",
                "[" + "[".repeat(5000) + "]".repeat(5000) + "]")) {
            assertThat(JobArray.split(bad.getBytes(UTF_8), 64)).as(bad).isEmpty();
        }
    }

    /** A job is bytes; a client of Go may send any inside a string. */
    @Test
    void takesAnyBytesInStrings() {
        byte[] text = {'[', '"', (byte) 0xff, '"', ']'};
        assertThat(JobArray.split(text, 64).orElseThrow().get(0)).containsExactly('"', 0xff, '"');
    }

    @Test
    void moreThanItMayCopyAreReadToTheEnd() {
        byte[] many = ("[0" + ",0".repeat(999) + "]").getBytes(UTF_8);
        assertThat(JobArray.split(many, 64).orElseThrow()).hasSize(65);
        many[many.length - 1] = 'x';
        assertThat(JobArray.split(many, 64)).isEmpty();
    }
}
