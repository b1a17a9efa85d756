package io.mykit.delay.queue.overview;

import static java.util.Objects.requireNonNull;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node tells about itself. Immutable; no one changes its collections.
 *
 * @param role the name of its role
 * @param roleSinceMs since when it has this role and epoch
 * @param seenAtMs the time of the note
 * @param down the names of its parts that are down
 * @param channels its channels, as JSON values by name
 * @param work the work that runs there, as JSON values
 * @param ended the work that ended there, as JSON values
 * @param warnings its warnings, as JSON values
 * @param rules what decides where and how it delivers; empty = it is of an older version, which does not tell
 */
record NodeNote(
        String node,
        String role,
        long epoch,
        long roleSinceMs,
        String version,
        long startedAtMs,
        long seenAtMs,
        String url,
        List<String> down,
        Map<String, Object> channels,
        List<Map<String, Object>> work,
        List<Map<String, Object>> ended,
        List<Map<String, Object>> warnings,
        Optional<NodeRules> rules) {
    private static final String LEADER = "LEADER";

    boolean leads() {
        return role.equals(LEADER);
    }

    /** The note for the list of nodes. */
    Map<String, Object> summary() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node);
        fields.put("role", role);
        fields.put("epoch", epoch);
        fields.put("since", roleSinceMs);
        fields.put("version", version);
        fields.put("startedAt", startedAtMs);
        fields.put("seenAt", seenAtMs);
        fields.put("url", url);
        fields.put("down", down);
        fields.put("delivery", rules.map(NodeRules::digest).orElse(null));
        return fields;
    }

    /** The note as text for Redis. It begins with its time. */
    String text() {
        Map<String, Object> fields = summary();
        fields.put("channels", channels);
        fields.put("work", work);
        fields.put("ended", ended);
        fields.put("warnings", warnings);
        rules.ifPresent(own -> fields.put("rules", own.fields()));
        return seenAtMs + " " + JSON.toJSONString(fields);
    }

    /** The text about a node that has stopped. It is no note, and keeps the name of the node for its samples. */
    static String stopped(long nowMs) {
        return nowMs + " stopped";
    }

    /** Empty if the node has stopped, or if the text has another form, as a newer node may write it. */
    static Optional<NodeNote> read(String text) {
        try {
            JSONObject json = JSON.parseObject(text.substring(text.indexOf(' ') + 1));
            return Optional.of(new NodeNote(
                    text(json, "node"),
                    text(json, "role"),
                    json.getLongValue("epoch"),
                    json.getLongValue("since"),
                    text(json, "version"),
                    json.getLongValue("startedAt"),
                    json.getLongValue("seenAt"),
                    text(json, "url"),
                    requireNonNull(json.getList("down", String.class)),
                    requireNonNull(json.getJSONObject("channels")),
                    objects(json, "work"),
                    objects(json, "ended"),
                    objects(json, "warnings"),
                    NodeRules.read(json.getJSONObject("rules"))));
        } catch (JSONException | ClassCastException | NullPointerException e) {
            return Optional.empty();
        }
    }

    private static String text(JSONObject json, String name) {
        return String.valueOf(json.getString(name));
    }

    private static List<Map<String, Object>> objects(JSONObject json, String name) {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Object each : json.getJSONArray(name)) {
            objects.add((JSONObject) each);
        }
        return objects;
    }
}
