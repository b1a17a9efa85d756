package io.mykit.delay.controller.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "[ ]",
                "{ }",
                "null",
                "true",
                "false",
                "0",
                "-0",
                "12.5e-3",
                "1E+9",
                "\"\"",
                "\"\\u0041\\n\"",
                "[1,[2,{\"a\":[]}],{}]",
                "{\"a\":{\"b\":[1, 2 , 3]},\"c\":null}",
                "123456789012345678901234567890.5"
            })
    void keepsTheSourceOfWhatIsJson(String json) {
        JsonReader reader = new JsonReader(" \n" + json + "\t ");
        assertThat(reader.source()).isEqualTo(json);
        reader.end();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "[1,,2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,\"a\":1}",
                "{\"a\":1 \"b\":2}",
                "{'a':1}",
                "{a:1}",
                "{1:1}",
                "'a'",
                "01",
                "+1",
                ".5",
                "1.",
                "1.e1",
                "-",
                "1e",
                "0x1",
                "NaN",
                "Infinity",
                "tru",
                "nul",
                "True",
                "\"",
                "\"a",
                "\"\\\"",
                "\"\\q\"",
                "\"\\u00g0\"",
                "\"\\u00\"",
                "\"a\nb\"",
                "\"\u0000\"",
                "/*c*/1",
                "//c\n1",
                "1//c",
                "[1}",
                "{\"a\":1]",
                "1 2",
                "[]]",
                "\u00a01",
                "\uFEFF1",
                "new Date(1)",
                "1L",
                "Set[1]"
            })
    void refusesWhatIsNot(String json) {
        assertThatThrownBy(() -> {
                    JsonReader reader = new JsonReader(json);
                    reader.source();
                    reader.end();
                })
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageMatching("(?s).* at (character|byte) \\d+");
    }

    @Test
    void depthCostsNoStack() {
        assertThatThrownBy(() -> new JsonReader("[".repeat(100_000)).source())
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessage("nested deeper than 512 at character 513");
        assertThat(new JsonReader("[".repeat(512) + "]".repeat(512)).source()).hasSize(1024);
    }

    @Test
    void walksOverAnObjectWithUnquotedNames() {
        JsonReader json = new JsonReader("{ttl:12, \"x\" : \"y\" ,$_9:true}");
        json.beginObject();
        assertThat(json.nextName(true)).isEqualTo("ttl");
        assertThat(json.number()).isEqualTo("12");
        assertThat(json.nextName(false)).isEqualTo("x");
        assertThat(json.string()).isEqualTo("y");
        assertThat(json.nextName(false)).isEqualTo("$_9");
        assertThat(json.bool()).isTrue();
        assertThat(json.nextName(false)).isNull();
        json.end();
    }

    @Test
    void unescapes() {
        assertThat(new JsonReader("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00z\"").string())
                .isEqualTo("a\"\\/\b\f\n\r\t\u00e9\ud83d\ude00z");
    }

    @Test
    void goesBackAndSkips() {
        JsonReader json = new JsonReader("[{a:[1]} , 2]");
        json.beginArray();
        assertThat(json.nextElement(true)).isTrue();
        int start = json.position();
        json.beginObject();
        assertThat(json.nextName(true)).isEqualTo("a");
        json.goTo(start);
        json.skipValue();
        assertThat(json.nextElement(false)).isTrue();
        assertThat(json.number()).isEqualTo("2");
        assertThat(json.nextElement(false)).isFalse();
        json.end();
    }

    @Test
    void utf8IsStrict() {
        String text = "aé中\ud83d\ude00\uFFFD";
        assertThat(Utf8.decode(text.getBytes(UTF_8))).isEqualTo(text);
        assertThat(Utf8.length(text)).isEqualTo(text.getBytes(UTF_8).length);
        assertThatThrownBy(() -> Utf8.decode("aé".getBytes(StandardCharsets.ISO_8859_1)))
                .hasMessage("not UTF-8 at byte 2");
        assertThatThrownBy(() -> Utf8.decode(new byte[] {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80}))
                .as("a surrogate of its own")
                .isInstanceOf(JsonSyntaxException.class);
        assertThatThrownBy(() -> Utf8.decode(new byte[] {(byte) 0xC0, (byte) 0x80}))
                .as("an overlong NUL")
                .isInstanceOf(JsonSyntaxException.class);
    }
}
