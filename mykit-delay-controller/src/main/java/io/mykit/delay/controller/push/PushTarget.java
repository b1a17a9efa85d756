package io.mykit.delay.controller.push;

import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.controller.json.JsonFields;
import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.text.FieldRules;
import io.mykit.delay.controller.text.Misspelling;
import java.util.Map;
import java.util.TreeMap;

/** Reads the target of a pushed message. The channel of the topic judges its names and values. Stateless. */
final class PushTarget {
    private static final int MAX_ENTRIES = 16;
    private static final int MAX_VALUE = 2048;

    private PushTarget() {}

    static Map<String, String> read(JsonReader json, String field) {
        JsonFields.object(json, field);
        Map<String, String> target = new TreeMap<>();
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            String path = field + "." + Misspelling.shorten(name);
            if (!PushHeaders.NAME.matcher(name).matches()) {
                throw invalid("unknown field " + path);
            }
            if (target.put(name, FieldRules.plain(path, JsonFields.string(json, path), MAX_VALUE)) != null) {
                throw invalid(path + " is given twice");
            }
            if (target.size() > MAX_ENTRIES) {
                throw invalid(field + " has more than " + MAX_ENTRIES + " entries");
            }
        }
        return target;
    }
}
