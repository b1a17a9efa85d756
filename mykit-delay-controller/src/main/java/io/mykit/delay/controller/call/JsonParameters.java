package io.mykit.delay.controller.call;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.json.JsonFields;
import io.mykit.delay.json.JsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the parameters of a call from a JSON object. A value has the type of its parameter: a number, {@code true} or {@code
 * false}, a text. Immutable.
 *
 * @param flags the names whose values are true or false
 * @param numbers the names whose values are integers
 * @param times the names whose values are numbers of milliseconds, or texts such as {@code 10s} or {@code 2027-01-15T08:00:00Z}
 */
public record JsonParameters(ParameterNames known, Set<String> flags, Set<String> numbers, Set<String> times) {
    /** The field that names one message. */
    public static final JsonParameters ID = ofTexts(ParameterNames.ID);

    /** Fields that are texts, or ids. */
    public static JsonParameters ofTexts(ParameterNames known) {
        return new JsonParameters(known, Set.of(), Set.of(), Set.of());
    }

    /** The same call with its fields as parameters. The fields stand in the URL, in a form or in a JSON object. */
    public Call read(Call call) {
        if (!call.hasJson()) {
            return call;
        }
        try (JsonReader json = new JsonReader(call.json())) {
            Parameters inBody = object(json);
            json.end();
            return call.withBody(inBody);
        }
    }

    /** Reads the reader's current object to its end. A null value counts as a missing field. */
    public Parameters object(JsonReader json) {
        json.beginObject();
        return rest(json, json.nextField());
    }

    /**
     * Reads the rest of an object, at whose first field the reader is.
     *
     * @param first the name of this field; null = the object has ended
     */
    public Parameters rest(JsonReader json, String first) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String name = first; name != null; name = json.nextField()) {
            known.check(name);
            if (!json.isNull() && values.put(name, values(json, name)) != null) {
                throw invalid(name + " is given twice");
            }
        }
        return Parameters.of(values);
    }

    private List<String> values(JsonReader json, String name) {
        if (!known.repeated().contains(name) || json.isString()) {
            return List.of(value(json, name));
        }
        JsonFields.array(json, name);
        List<String> several = new ArrayList<>();
        while (json.nextItem()) {
            several.add(value(json, name));
        }
        return several;
    }

    private String value(JsonReader json, String name) {
        if (flags.contains(name)) {
            return Boolean.toString(JsonFields.bool(json, name));
        }
        if (numbers.contains(name) || (times.contains(name) && !json.isString())) {
            return Long.toString(JsonFields.integer(json, name, Long.MAX_VALUE));
        }
        return ParameterNames.IDS.contains(name) ? JsonFields.id(json, name) : JsonFields.string(json, name);
    }
}
