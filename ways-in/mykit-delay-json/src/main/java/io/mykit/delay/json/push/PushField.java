package io.mykit.delay.json.push;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.text.Misspelling;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The fields of a push, with the names that producers use. */
public enum PushField {
    ID("id"),
    TOPIC("topic"),
    SUBTOPIC("subtopic"),
    BIZ_KEY("bizKey"),
    BODY("body"),
    BODY_BASE64("bodyBase64"),
    DELAY("delay"),
    TRIGGER_AT("triggerAt"),
    CREATE_TIME("createTime"),
    TTL("ttl"),
    PRIORITY("priority"),
    STATUS("status"),
    REPLACE("replace"),
    IDEMPOTENCY_KEY("idempotencyKey"),
    HEADERS("headers"),
    RETRY("retry"),
    TTR("ttr"),
    TARGET("target"),
    WAIT("wait"),
    /** The original Java clients send it; the server chooses the bucket. */
    BUCKED_NAME("buckedName");

    private static final Map<String, PushField> BY_NAME =
            Arrays.stream(values()).collect(toUnmodifiableMap(field -> field.text, field -> field));

    private final String text;

    PushField(String text) {
        this.text = text;
    }

    /** The name. */
    public String text() {
        return text;
    }

    /** The field of this name. An unknown name is refused, because a misspelt field would silently have no effect. */
    static PushField named(String name) {
        PushField field = BY_NAME.get(name);
        if (field == null) {
            throw unknown(
                    "", name, Arrays.stream(values()).map(each -> each.text).toList());
        }
        return field;
    }

    /**
     * The refusal of an unknown name.
     *
     * @param inside the name of the object that has the field, with a dot; empty for the message itself
     */
    static DelayException unknown(String inside, String name, List<String> known) {
        String hint = Misspelling.nearest(name, known)
                .map(nearest -> "did you mean " + inside + nearest + "?")
                .orElseGet(() -> "known are " + String.join(", ", known));
        return FieldRules.invalid("unknown field " + inside + Misspelling.shorten(name) + "; " + hint);
    }
}
