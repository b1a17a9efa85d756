package io.mykit.delay.controller.operate;

import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.json.JsonFields;
import io.mykit.delay.controller.json.JsonReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads the fields of a call from a JSON object, or leaves them to the parameters. Stateless. */
final class DeadBody {
    private static final Set<String> FLAGS = Set.of("dryRun", "stop");
    private static final Set<String> NUMBERS = Set.of("since", "until", "limit", "perSecond");

    private DeadBody() {}

    /** The same call with its fields as parameters. The fields stand in the URL, in a form or in a JSON object. */
    static Call read(Call call, ParameterNames known) {
        if (!call.hasJson()) {
            return call;
        }
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonReader json = new JsonReader(call.json())) {
            json.beginObject();
            for (String name = json.nextField(); name != null; name = json.nextField()) {
                known.check(name);
                if (!json.isNull() && values.put(name, value(json, name)) != null) {
                    throw invalid(name + " is given twice");
                }
            }
            json.end();
        }
        if (values.isEmpty()) {
            // Some clients send an empty object in place of an empty body.
            return call;
        }
        if (!call.parameters().isEmpty()) {
            throw invalid("the fields stand in the URL or in the body, not in both");
        }
        return call.with(Parameters.of(values));
    }

    private static String value(JsonReader json, String name) {
        if (FLAGS.contains(name)) {
            return Boolean.toString(JsonFields.bool(json, name));
        }
        if (NUMBERS.contains(name)) {
            return Long.toString(JsonFields.integer(json, name, Long.MAX_VALUE));
        }
        if (name.equals("delay") && !json.isString()) {
            return Long.toString(JsonFields.integer(json, name, Long.MAX_VALUE));
        }
        return ParameterNames.ID.names().contains(name) ? JsonFields.id(json, name) : JsonFields.string(json, name);
    }
}
