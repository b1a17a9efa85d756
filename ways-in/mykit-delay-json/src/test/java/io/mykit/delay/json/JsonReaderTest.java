package io.mykit.delay.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonToken;
import io.mykit.delay.common.error.DelayException;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                "[\"\"]",
                "[\"\\u0041\\n\"]",
                "[1,[2,{\"a\":[]}],{}]",
                "{\"a\":{\"b\":[1, 2 , 3]},\"c\":null}",
                "123456789012345678901234567890.5"
            })
    void keepsTheSourceOfWhatIsJson(String json) {
        JsonReader reader = reader(" \n" + json + "\t ");
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
                    JsonReader reader = reader(json);
                    reader.source();
                    reader.end();
                })
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessageMatching("(?s)malformed JSON: .* at line \\d+, column \\d+");
    }

    @Test
    void depthCostsNoStack() {
        assertThatThrownBy(() -> reader("[".repeat(100_000)).source())
                .isInstanceOf(JsonSyntaxException.class)
                .hasMessage("malformed JSON: nested deeper than 500");
        assertThat(reader("[".repeat(500) + "]".repeat(500)).source()).hasSize(1000);
    }

    @Test
    void walksOverAnObjectWithUnquotedNames() {
        JsonReader json = reader("{ttl:12, \"x\" : \"y\" ,$_9:true}");
        json.beginObject();
        assertThat(json.nextField()).isEqualTo("ttl");
        assertThat(json.text()).isEqualTo("12");
        assertThat(json.nextField()).isEqualTo("x");
        assertThat(json.text()).isEqualTo("y");
        assertThat(json.nextField()).isEqualTo("$_9");
        assertThat(json.at(JsonToken.VALUE_TRUE)).isTrue();
        assertThat(json.nextField()).isNull();
        json.end();
    }

    @Test
    void unquotedNamesAreNoSource() {
        JsonReader json = reader("{body:{\"a\":[]},ttl:{a:1}}");
        assertThat(json.nextField()).isEqualTo("body");
        assertThat(json.source()).isEqualTo("{\"a\":[]}");
        assertThat(json.nextField()).isEqualTo("ttl");
        assertThatThrownBy(json::source).isInstanceOf(JsonSyntaxException.class);
    }

    @Test
    void unescapes() {
        assertThat(reader("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00z\"")
                        .text())
                .isEqualTo("a\"\\/\b\f\n\r\t\u00e9\ud83d\ude00z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {"{a:[1]}|0", "{a:[1]}|1", "{a:[1]}|3", "{a:[1]}|5", "[[{}],3]|2", "[]|0", "[]|1", "7|0", "\"x\"|0"
            })
    void leavesWhatItIsIn(String item, int steps) {
        JsonReader json = reader("[" + item + " , 2]");
        json.next();
        for (int step = 0; step < steps; step++) {
            json.next();
        }
        json.leave(1);
        assertThat(json.next()).isEqualTo(JsonToken.VALUE_NUMBER_INT);
        assertThat(json.text()).isEqualTo("2");
        assertThat(json.next()).isEqualTo(JsonToken.END_ARRAY);
        json.end();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":|unexpected end at line 1, column 6",
                "[1,|unexpected end at line 1, column 4",
                "{'a':1}|unexpected character (''' (code 39)): was expecting double-quote to start field name at line"
                        + " 1, column 2",
                "[1}|unexpected close marker '}' at line 1, column 3",
                "[/**/]|unexpected character ('/' (code 47)) at line 1, column 2",
                "[NaN]|non-standard token 'NaN' at line 1, column 5",
                "[1 2]|unexpected character ('2' (code 50)): was expecting comma to separate Array entries at line 1,"
                        + " column 4",
                "~[\n 01]~|invalid numeric value at line 2, column 3",
            })
    void saysWhatIsWrongAndNothingOfTheParser(String json, String message) {
        assertThatThrownBy(() -> reader(json).source()).hasMessage("malformed JSON: " + message);
    }

    @Test
    void utf8IsStrict() {
        String text = "aé中\ud83d\ude00\uFFFD";
        assertThat(Utf8.decode(text.getBytes(UTF_8)).toString()).isEqualTo(text);
        assertThat(reader("\"" + text + "\"").text()).isEqualTo(text);
        assertThatThrownBy(() -> new JsonReader("aé".getBytes(ISO_8859_1)))
                .hasMessage("the body is not UTF-8 at byte 2");
        assertThatThrownBy(() -> new JsonReader(new byte[] {'a', (byte) 0xED, (byte) 0xA0, (byte) 0x80}))
                .as("a surrogate of its own")
                .hasMessage("the body is not UTF-8 at byte 2");
        assertThatThrownBy(() -> new JsonReader(new byte[] {(byte) 0xC0, (byte) 0x80}))
                .as("an overlong NUL")
                .hasMessage("the body is not UTF-8 at byte 1");
    }

    @Test
    void otherEncodingsAreRefused() {
        for (Charset charset : List.of(UTF_16, UTF_16LE, UTF_16BE)) {
            assertThatThrownBy(() -> new JsonReader("{}".getBytes(charset)).source())
                    .isInstanceOf(DelayException.class);
        }
    }

    private static JsonReader reader(String json) {
        return new JsonReader(json.getBytes(UTF_8));
    }
}
