package io.mykit.delay.queue.overview;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * One warning. Immutable.
 *
 * @param sinceMs in cluster time, epoch milliseconds; 0 = not known
 * @param args the values for the sentence of a page
 * @param text the words of the part that is in trouble; empty = none
 */
record Warning(WarningCode code, long sinceMs, Map<String, Object> args, String text) {
    private static final int MAX_TEXT = 250;

    Warning {
        args = new TreeMap<>(args);
        text = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", code.name());
        fields.put("severity", code.severity().word());
        fields.put("since", sinceMs == 0 ? null : sinceMs);
        fields.put("args", args);
        fields.put("text", text);
        return fields;
    }
}
