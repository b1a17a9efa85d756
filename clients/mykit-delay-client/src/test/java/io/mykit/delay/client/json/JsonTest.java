package io.mykit.delay.client.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("null", null),
                Arguments.of(" \t\r\n true ", true),
                Arguments.of("false", false),
                Arguments.of("0", 0L),
                Arguments.of("-0", 0L),
                Arguments.of("-12", -12L),
                Arguments.of("9223372036854775807", Long.MAX_VALUE),
                Arguments.of("9223372036854775808", 9.223372036854776E18),
                Arguments.of("0.5", 0.5),
                Arguments.of("1E3", 1000.0),
                Arguments.of("1e-2", 0.01),
                Arguments.of("1e999999999", Double.POSITIVE_INFINITY),
                Arguments.of("\"\"", ""),
                Arguments.of("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz"),
                Arguments.of("\"\\u8ba2\\uD83D\\ude00\\u0000\"", "订😀\0"),
                Arguments.of("\"\\ud83d\"", "\ud83d"),
                Arguments.of("\"订单😀\u007f\"", "订单😀\u007f"),
                Arguments.of("[]", List.of()),
                Arguments.of("[ 1 , [ ] , { } ]", List.of(1L, List.of(), Map.of())),
                Arguments.of("{}", Map.of()),
                Arguments.of("{ \"a\" : 1 , \"b\" : { \"c\" : \"d\" } }", Map.of("a", 1L, "b", Map.of("c", "d"))),
                Arguments.of("{\"a\":1,\"a\":2}", Map.of("a", 2L)));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void readsJson(String text, Object value) {
        assertThat(JsonReader.read(text.getBytes(UTF_8))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nul",
                "nulll",
                "True",
                "'a'",
                "a",
                "01",
                "+1",
                "1.",
                ".5",
                "1e",
                "1e+",
                "-",
                "0x1",
                "NaN",
                "1 2",
                "\"",
                "\"a",
                "\"\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u１２３４\"",
                "\"a\nb\"",
                "\"\0\"",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "]",
                "{",
                "{\"a\"",
                "{\"a\":",
                "{\"a\":1",
                "{\"a\":1,}",
                "{a:1}",
                "{1:1}",
                "{\"a\" 1}",
                "{,}",
                "[}",
                "\uFEFF1",
                "// no\n1",
                "<html></html>"
            })
    void refusesAllElse(String text) {
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonReader.read(text.getBytes(UTF_8)));
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        for (byte[] bytes : new byte[][] {
            {'"', (byte) 0xff, '"'},
            {'"', (byte) 0xc0, (byte) 0x80, '"'},
            {'"', (byte) 0xe8, '"'},
            {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}
        }) {
            assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonReader.read(bytes));
        }
    }

    @Test
    void boundsTheDepth() {
        String deepest = "[".repeat(JsonReader.MAX_DEPTH) + "1" + "]".repeat(JsonReader.MAX_DEPTH);
        assertThat(JsonReader.read(deepest)).isInstanceOf(List.class);
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> JsonReader.read("[" + deepest + "]"))
                .withMessageContaining("deeper than 100 levels");
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonReader.read("{\"a\":".repeat(1_000_000)));
    }

    @Test
    void readsBigTexts() {
        String big = "订\"\\\n😀".repeat(500_000);
        assertThat(JsonReader.read(JsonWriter.write(big))).isEqualTo(big);
        String digits = "9".repeat(100_000);
        assertThat(JsonReader.read(digits)).isEqualTo(Double.POSITIVE_INFINITY);
    }

    @Test
    void writesJson() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("a\"b", "\\ \n\r\t\u0001 / 订😀");
        value.put("numbers", List.of(1, -2L, 0.5));
        value.put("none", null);
        value.put("flag", true);
        assertThat(JsonWriter.write(value))
                .isEqualTo("{\"a\\\"b\":\"\\\\ \\n"
                        + "\\r"
                        + "\\t\\u0001 / 订😀\",\"numbers\":[1,-2,0.5],\"none\":null,\"flag\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud83d", "a\ud83d", "\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00"})
    void writesUnpairedSurrogatesAsEscapes(String text) {
        byte[] written = JsonWriter.write(text).getBytes(UTF_8);
        assertThat(JsonReader.read(written)).isEqualTo(text);
    }

    @Test
    void anyTextSurvivesTheWay() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            int[] units = random.ints(random.nextInt(20), 0, 0x10000).toArray();
            StringBuilder text = new StringBuilder();
            Arrays.stream(units).forEach(unit -> text.append((char) unit));
            byte[] written = JsonWriter.write(List.of(text.toString())).getBytes(UTF_8);
            assertThat(JsonReader.read(written)).isEqualTo(List.of(text.toString()));
        }
    }

    @Test
    void writesNoValueThatJsonHasNot() {
        for (Object value : List.of(Double.NaN, Double.POSITIVE_INFINITY, new Object(), 'c')) {
            assertThatIllegalArgumentException().isThrownBy(() -> JsonWriter.write(value));
        }
    }

    @Test
    void fieldsAreReadByType() {
        JsonObject object = JsonObject.of(
                JsonReader.read("{\"text\":\"a\",\"number\":7,\"flag\":true,\"none\":null,\"texts\":{\"k\":\"v\"}}"));
        assertThat(object.text("text")).isEqualTo("a");
        assertThat(object.integer("number")).isEqualTo(7);
        assertThat(object.flag("flag")).isTrue();
        assertThat(object.flag("none")).isFalse();
        assertThat(object.optionalText("none")).isEmpty();
        assertThat(object.texts("texts")).containsExactly(Map.entry("k", "v"));
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> object.text("number"))
                .withMessage("the field number is no String");
        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> object.integer("none"))
                .withMessage("the field none is missing");
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonObject.of(List.of()));
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonObject.list(null));
    }
}
