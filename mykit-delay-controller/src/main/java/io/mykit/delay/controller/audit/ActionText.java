package io.mykit.delay.controller.audit;

import io.mykit.delay.access.token.TokenText;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.text.OneLine;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.reply.LooseJson;
import io.mykit.delay.controller.route.Route;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The parameters of a call as one line of text. Stateless. */
final class ActionText {
    /** What a call acts on; the first of these that is given. {@code name} is that of a namespace. */
    private static final List<String> OBJECTS =
            List.of("topic", "id", "jobId", "JobId", "logger", "tokenId", "name", "namespace");
    /** Fields that no record shows. Tokens of the table are hidden in all other fields too. */
    private static final Set<String> HIDDEN = Set.of("token", "body", "bodyBase64");

    /** The body of such a call has a few fields. */
    private static final int MAX_BODY = 8192;

    private ActionText() {}

    /** The parameters in the path, the URL, the form or the JSON body, by name. The handler refuses those that are wrong. */
    static Map<String, Object> given(Call call) {
        Map<String, Object> given = new LinkedHashMap<>();
        given.putAll(call.path());
        given.putAll(texts(call.parameters()));
        if (call.hasJson() && call.body().length() <= MAX_BODY) {
            given.putAll(LooseJson.fields(call.body().toString(StandardCharsets.UTF_8)));
        }
        return given;
    }

    /** The parameters in the URL of a call whose body was not read; none if they cannot be read. */
    static Map<String, Object> inQuery(Route route, String query) {
        try {
            return texts(Parameters.read(route.parameters(), query, null, Buffer.buffer()));
        } catch (DelayException e) {
            return Map.of();
        }
    }

    private static Map<String, Object> texts(Parameters parameters) {
        Map<String, Object> texts = new LinkedHashMap<>();
        for (String name : parameters.names()) {
            texts.put(name, String.join(",", parameters.texts(name)));
        }
        return texts;
    }

    /** @param most the maximum of characters of the parameters; the rest is cut off */
    static String of(Map<String, Object> given, int most) {
        String text = given.entrySet().stream()
                .map(each -> each.getKey() + "="
                        + (HIDDEN.contains(each.getKey()) ? "***" : TokenText.hidden(String.valueOf(each.getValue()))))
                .collect(Collectors.joining(" "));
        return OneLine.of(text, most);
    }

    /** The topic, the message, the token or the namespace that a call acts on; empty = none is given. */
    static String object(Map<String, Object> given) {
        return OBJECTS.stream()
                .filter(given::containsKey)
                .findFirst()
                .map(name -> TokenText.hidden(String.valueOf(given.get(name))))
                .orElse("");
    }
}
