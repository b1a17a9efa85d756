package io.mykit.delay.controller.reply;

import io.mykit.delay.queue.operator.PolicyKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings of a topic in answers. Stateless. */
public final class SettingsJson {
    private SettingsJson() {}

    /** The value of each setting with its source. */
    public static Map<String, Object> of(List<PolicyKey> keys) {
        Map<String, Object> data = new LinkedHashMap<>();
        for (PolicyKey key : keys) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("value", key.value());
            value.put("from", key.from());
            data.put(key.name(), value);
        }
        return data;
    }
}
