package io.mykit.delay.test.bench.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a pulled message that its consumer needs.
 *
 * @param dueMs epoch milliseconds
 * @param leaseUntilMs the end of the hold, epoch milliseconds
 */
record PulledItem(String id, long dueMs, int attempt, String receipt, long leaseUntilMs) {
    /** Reads the answer to a pull, in the order in which the server writes the fields: a JSON parser costs too much here. */
    static List<PulledItem> all(String json) {
        List<PulledItem> items = new ArrayList<>();
        for (int at = json.indexOf("{\"id\":"); at >= 0; at = json.indexOf("{\"id\":", at + 1)) {
            items.add(new PulledItem(
                    text(json, "id", at),
                    Long.parseLong(text(json, "dueTime", at)),
                    Integer.parseInt(text(json, "attempt", at)),
                    text(json, "receipt", at),
                    Long.parseLong(text(json, "leaseUntil", at))));
        }
        return items;
    }

    /** The value of the next field of this name, without quotes. */
    private static String text(String json, String field, int from) {
        String name = "\"" + field + "\":";
        int start = json.indexOf(name, from);
        if (start < 0) {
            throw new IllegalStateException("no " + field + " in the answer to a pull: " + json);
        }
        start += name.length();
        boolean quoted = json.charAt(start) == '"';
        int end = quoted ? json.indexOf('"', start + 1) : start;
        while (!quoted && Character.isDigit(json.charAt(end))) {
            end++;
        }
        return json.substring(quoted ? start + 1 : start, end);
    }

    /** As JSON. */
    String settlement() {
        return "{\"id\":\"" + id + "\",\"receipt\":\"" + receipt + "\"}";
    }
}
