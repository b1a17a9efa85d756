package io.mykit.delay.controller.audit;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.text.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The parameters of a call as one line of text. Stateless. */
final class ActionText {
    private static final int MAX_TEXT = 200;
    /** The body of such a call has a few fields. */
    private static final int MAX_BODY = 8192;

    private ActionText() {}

    /** The parameters in the path, the URL, the form or the JSON body, by name. The handler refuses those that are wrong. */
    static JSONObject given(Call call) {
        JSONObject given = new JSONObject();
        given.putAll(call.path());
        for (String name : call.parameters().names()) {
            given.put(name, String.join(",", call.parameters().texts(name)));
        }
        if (call.hasJson() && call.body().length() <= MAX_BODY) {
            try {
                JSONObject body = JSON.parseObject(call.body().toString(StandardCharsets.UTF_8));
                given.putAll(body == null ? new JSONObject() : body);
            } catch (JSONException e) {
                // The handler refuses the body.
            }
        }
        return given;
    }

    static String of(JSONObject given) {
        String text = given.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(" "));
        return OneLine.of(text, MAX_TEXT);
    }
}
