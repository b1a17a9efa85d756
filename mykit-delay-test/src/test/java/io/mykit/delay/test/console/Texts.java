package io.mykit.delay.test.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The texts of the console in one language, as its file has them. */
final class Texts {
    private final JSONObject texts;

    Texts(String language) {
        try (InputStream in = Texts.class.getResourceAsStream("/console/i18n/" + language + ".json")) {
            texts = JSON.parseObject(new String(in.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a key up to its first argument; empty if there is no such key. */
    String of(String key) {
        String text = texts.getString(key);
        return text == null ? "" : text.split("\\{", 2)[0].strip();
    }
}
