package io.mykit.delay.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMaskTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"p\":1}|{\"p\":\"***\"}",
                "{\"p\":-1.50e3 , \"a\":2}|{\"p\":\"***\" , \"a\":2}",
                "{ \"p\" :  true}|{ \"p\" :  \"***\"}",
                "{\"p\":null,\"a\":null}|{\"p\":\"***\",\"a\":null}",
                "{\"p\":\"a\\\"b\\u0041\",\"a\":\"p\"}|{\"p\":\"***\",\"a\":\"p\"}",
                "{\"p\":\"\"}|{\"p\":\"***\"}",
                "{\"p\":{\"a\":[1,{\"p\":2}]},\"a\":3}|{\"p\":\"***\",\"a\":3}",
                "{\"p\":[1,[2]],\"a\":3}|{\"p\":\"***\",\"a\":3}",
                "[{\"p\":1},{\"p\":2},3]|[{\"p\":\"***\"},{\"p\":\"***\"},3]",
                "{\"a\":{\"b\":{\"p\":\"x\"}}}|{\"a\":{\"b\":{\"p\":\"***\"}}}",
                "{\"\\u0070\":1}|{\"\\u0070\":\"***\"}",
                "{\"p\":1,\"p\":2}|{\"p\":\"***\",\"p\":\"***\"}",
                "{\"pp\":1,\"P\":2}|{\"pp\":1,\"P\":2}",
                "{\"a\":9007199254740993,\"b\":1e400,\"c\":1.0}|{\"a\":9007199254740993,\"b\":1e400,\"c\":1.0}",
                "[]|[]",
            })
    void onlyTheValuesOfHiddenMembersChange(String text, String masked) {
        assertThat(JsonMask.of(text, "p"::equals)).contains(masked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "p",
                "\"text\"",
                "17",
                "{",
                "{\"p\":1",
                "{\"p\"",
                "{\"p\":",
                "{\"p\":\"x",
                "[1,]",
                "{p:1}",
                "{'p':1}",
                "{\"a\":1}}",
                "{\"a\":1} {\"p\":2}",
                "[1] x",
                "{\"a\":NaN}",
                "// {\"p\":1}",
                "\uFEFF{\"p\":1}"
            })
    void aTextThatIsNoJsonHasNoResult(String text) {
        assertThat(JsonMask.of(text, "p"::equals)).isEmpty();
        assertThat(JsonMask.isJson(text)).isFalse();
    }

    @Test
    void longTextsAreMaskedAsWell() {
        String rest = "\u00e9\uD83D\uDE00x".repeat(50_000);
        String text = "{\"a\":\"" + rest + "\",\"p\":\"" + rest + "\",\"b\":\"" + rest + "\"}";
        assertThat(JsonMask.of(text, "p"::equals))
                .contains("{\"a\":\"" + rest + "\",\"p\":\"***\",\"b\":\"" + rest + "\"}");
    }

    @Test
    void aTextThatIsTooDeepIsNoJson() {
        assertThat(JsonMask.isJson("[".repeat(400) + "]".repeat(400))).isTrue();
        assertThat(JsonMask.isJson("[".repeat(10_000) + "]".repeat(10_000))).isFalse();
    }
}
