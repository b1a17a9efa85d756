package io.mykit.delay.client.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a JSON object, read by type. A null counts as a missing field. Immutable. */
public final class JsonObject {
    private final Map<?, ?> fields;

    private JsonObject(Map<?, ?> fields) {
        this.fields = fields;
    }

    /** @throws JsonException if the value is no object; so do all methods where a field is missing or of another type */
    public static JsonObject of(Object value) {
        if (value instanceof Map<?, ?> fields) {
            return new JsonObject(fields);
        }
        throw new JsonException("an object is expected");
    }

    public static List<?> list(Object value) {
        if (value instanceof List<?> items) {
            return items;
        }
        throw new JsonException("an array is expected");
    }

    /** The value as it is; null = none. */
    public Object get(String name) {
        return fields.get(name);
    }

    public String text(String name) {
        return required(name, optionalText(name));
    }

    public Optional<String> optionalText(String name) {
        return optional(name, String.class);
    }

    public long integer(String name) {
        return required(name, optionalInteger(name));
    }

    public Optional<Long> optionalInteger(String name) {
        return optional(name, Long.class);
    }

    public boolean flag(String name) {
        return optional(name, Boolean.class).orElse(false);
    }

    /** The texts of an object; none if there is no such field. */
    public Map<String, String> texts(String name) {
        Map<String, String> texts = new LinkedHashMap<>();
        optional(name, Map.class).ifPresent(map -> {
            JsonObject object = new JsonObject(map);
            for (Object key : object.fields.keySet()) {
                texts.put((String) key, object.text((String) key));
            }
        });
        return texts;
    }

    private <T> Optional<T> optional(String name, Class<T> type) {
        Object value = fields.get(name);
        if (value != null && !type.isInstance(value)) {
            throw new JsonException("the field " + name + " is no " + type.getSimpleName());
        }
        return Optional.ofNullable(type.cast(value));
    }

    private static <T> T required(String name, Optional<T> value) {
        return value.orElseThrow(() -> new JsonException("the field " + name + " is missing"));
    }
}
