package io.mykit.delay.test.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The console has a text for each word that the server may answer. */
class ConsoleTextsTest {
    static Stream<String> words() {
        return Stream.concat(
                Stream.of(ErrorCode.values()).map(code -> "error." + code),
                Stream.of(MessageStatus.values()).map(status -> "status." + status));
    }

    @ParameterizedTest
    @MethodSource("words")
    void eachWordOfTheServerHasAText(String key) throws IOException {
        for (String language : new String[] {"en", "zh"}) {
            try (InputStream in = getClass().getResourceAsStream("/console/i18n/" + language + ".json")) {
                JSONObject texts = JSON.parseObject(new String(in.readAllBytes(), UTF_8));
                String text = texts.getString(key);
                assertThat(text).as(language).isNotBlank();
                assertThat(text.codePoints().anyMatch(Character::isIdeographic))
                        .as("is Chinese: " + text)
                        .isEqualTo(language.equals("zh"));
            }
        }
    }
}
