package io.mykit.delay.controller.push;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.mykit.delay.controller.text.FieldRules;
import io.mykit.delay.controller.text.Misspelling;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The fields of a push, with the names that producers use. */
enum PushField {
    ID("id"),
    TOPIC("topic"),
    SUBTOPIC("subtopic"),
    BIZ_KEY("bizKey"),
    BODY("body"),
    DELAY("delay"),
    TRIGGER_AT("triggerAt"),
    CREATE_TIME("createTime"),
    TTL("ttl"),
    PRIORITY("priority"),
    STATUS("status"),
    REPLACE("replace"),
    /** The original Java clients send it; the server chooses the bucket. */
    BUCKED_NAME("buckedName");

    private static final Map<String, PushField> BY_NAME =
            Arrays.stream(values()).collect(toUnmodifiableMap(field -> field.text, field -> field));

    final String text;

    PushField(String text) {
        this.text = text;
    }

    /** The field of this name. An unknown name is refused, because a misspelt field would silently have no effect. */
    static PushField named(String name) {
        PushField field = BY_NAME.get(name);
        if (field == null) {
            throw FieldRules.invalid("unknown field " + Misspelling.shorten(name) + "; " + hint(name));
        }
        return field;
    }

    private static String hint(String name) {
        List<String> known = Arrays.stream(values()).map(field -> field.text).toList();
        return Misspelling.nearest(name, known)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElseGet(() -> "known are " + String.join(", ", known));
    }
}
