package io.mykit.delay.controller.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The OpenAPI document as the server answers it, for tests. */
public final class Document {
    private static final String REF = "$ref";

    private final JSONObject json =
            JSON.parseObject(OpenApiDocument.reply().body().toString(UTF_8));

    public JSONObject paths() {
        return json.getJSONObject("paths");
    }

    /** @param kind such as {@code schemas} */
    public JSONObject components(String kind) {
        return json.getJSONObject("components").getJSONObject(kind);
    }

    /** The operation of a path and a method, if both are there. */
    public Optional<JSONObject> operation(String path, String method) {
        return Optional.ofNullable(paths().getJSONObject(path)).map(item -> item.getJSONObject(method));
    }

    /** The parameters of an operation, those of its path included. */
    public List<JSONObject> parameters(String path, String method) {
        List<JSONObject> parameters = new ArrayList<>();
        JSONObject item = paths().getJSONObject(path);
        for (JSONObject place : List.of(item, item.getJSONObject(method))) {
            if (place.containsKey("parameters")) {
                parameters.addAll(place.getJSONArray("parameters").toList(JSONObject.class));
            }
        }
        return parameters;
    }

    /** The object itself, or the one that it refers to. */
    public JSONObject resolved(JSONObject object) {
        String ref = object.getString(REF);
        if (ref == null) {
            return object;
        }
        JSONObject at = json;
        for (String name : ref.substring(2).split("/", -1)) {
            at = at.getJSONObject(name);
        }
        return at;
    }
}
