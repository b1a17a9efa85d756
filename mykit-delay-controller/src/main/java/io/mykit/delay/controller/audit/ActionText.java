package io.mykit.delay.controller.audit;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.reply.LooseJson;
import io.mykit.delay.controller.text.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The parameters of a call as one line of text. Stateless. */
final class ActionText {
    private static final int MAX_TEXT = 200;
    /** The body of such a call has a few fields. */
    private static final int MAX_BODY = 8192;

    private ActionText() {}

    /** The parameters in the path, the URL, the form or the JSON body, by name. The handler refuses those that are wrong. */
    static Map<String, Object> given(Call call) {
        Map<String, Object> given = new LinkedHashMap<>();
        given.putAll(call.path());
        for (String name : call.parameters().names()) {
            given.put(name, String.join(",", call.parameters().texts(name)));
        }
        if (call.hasJson() && call.body().length() <= MAX_BODY) {
            given.putAll(LooseJson.fields(call.body().toString(StandardCharsets.UTF_8)));
        }
        return given;
    }

    static String of(Map<String, Object> given) {
        String text = given.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
        return OneLine.of(text, MAX_TEXT);
    }
}
