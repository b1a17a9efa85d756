package io.mykit.delay.test.metrics;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** The dashboard in {@code deploy/grafana/mykit-delay.json}. Immutable. */
final class Dashboard {
    private final JSONObject json;
    private final List<JSONObject> panels = new ArrayList<>();

    private Dashboard(JSONObject json) {
        this.json = json;
        add(json.getJSONArray("panels"));
    }

    static Dashboard read() {
        try {
            return new Dashboard(
                    JSON.parseObject(Files.readString(AlertRules.root().resolve("deploy/grafana/mykit-delay.json"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(JSONArray some) {
        for (int i = 0; some != null && i < some.size(); i++) {
            panels.add(some.getJSONObject(i));
            add(some.getJSONObject(i).getJSONArray("panels"));
        }
    }

    /** All panels, rows and those in closed rows, too. */
    List<JSONObject> panels() {
        return panels;
    }

    List<String> variables() {
        return objects(json.getJSONObject("templating").getJSONArray("list")).stream()
                .map(variable -> variable.getString("name"))
                .toList();
    }

    /** The expressions of panels and annotations. */
    List<String> expressions() {
        List<String> all = new ArrayList<>();
        panels.forEach(
                panel -> objects(panel.getJSONArray("targets")).forEach(target -> all.add(target.getString("expr"))));
        objects(json.getJSONObject("annotations").getJSONArray("list"))
                .forEach(note -> all.add(note.getString("expr")));
        return all;
    }

    private static List<JSONObject> objects(JSONArray array) {
        List<JSONObject> all = new ArrayList<>();
        for (int i = 0; array != null && i < array.size(); i++) {
            all.add(array.getJSONObject(i));
        }
        return all;
    }
}
