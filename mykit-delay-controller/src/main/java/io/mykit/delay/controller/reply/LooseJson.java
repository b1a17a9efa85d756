package io.mykit.delay.controller.reply;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONObject;
import java.util.Map;

/** Short JSON texts whose form nobody has checked, for records. Stateless. */
public final class LooseJson {
    private LooseJson() {}

    /** The fields of a JSON object; empty if the text is no such object. */
    public static Map<String, Object> fields(String text) {
        try {
            JSONObject object = JSON.parseObject(text);
            return object == null ? Map.of() : object;
        } catch (JSONException e) {
            return Map.of();
        }
    }
}
