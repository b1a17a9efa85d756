package io.mykit.delay.controller;

import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;
import static io.mykit.delay.common.message.MessageLimits.MAX_PRIORITY;
import static io.mykit.delay.common.message.MessageLimits.MAX_TTL_SECONDS;
import static io.mykit.delay.controller.FieldRules.invalid;

import com.fasterxml.jackson.core.JsonToken;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageStatus;
import java.util.EnumSet;
import java.util.Set;

/** The fields of one pushed message, each checked by itself. Read once, by one thread. */
final class PushFields {
    private final Set<PushField> given = EnumSet.noneOf(PushField.class);

    String id = "";
    String topic = "";
    String subtopic = "";
    String bizKey = "";
    String body = "";
    long delayMs;
    long triggerAtMs;
    long createTimeMs;
    long ttlSeconds;
    int priority;
    boolean replace;

    /** Reads the object at which the reader is, up to its end. Null stands for a field that was left out. */
    static PushFields read(JsonReader json) {
        PushFields fields = new PushFields();
        Set<PushField> seen = EnumSet.noneOf(PushField.class);
        json.require(JsonToken.START_OBJECT, "an object");
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            PushField field = PushField.named(name);
            if (!seen.add(field)) {
                throw invalid(field.text + " is given twice");
            }
            if (!json.at(JsonToken.VALUE_NULL)) {
                fields.given.add(field);
                fields.read(field, json);
            }
        }
        return fields;
    }

    boolean has(PushField field) {
        return given.contains(field);
    }

    private void read(PushField field, JsonReader json) {
        switch (field) {
            case ID -> id = FieldRules.name(field.text, JsonFields.id(json), MessageLimits.MAX_ID);
            case TOPIC -> topic = text(json, field, MessageLimits.MAX_TOPIC);
            case SUBTOPIC -> subtopic = text(json, field, MessageLimits.MAX_SUBTOPIC);
            case BIZ_KEY -> bizKey = text(json, field, MessageLimits.MAX_BIZ_KEY);
            case BODY -> body = JsonFields.body(json);
            case DELAY -> delayMs = JsonFields.integer(json, field, MAX_DUE_TIME_MS);
            case TRIGGER_AT -> triggerAtMs = time(json, field);
            case CREATE_TIME -> createTimeMs = time(json, field);
            case TTL -> ttlSeconds = JsonFields.integer(json, field, MAX_TTL_SECONDS);
            case PRIORITY -> priority = (int) JsonFields.integer(json, field, MAX_PRIORITY);
            case STATUS -> checkStatus(JsonFields.integer(json, field, Integer.MAX_VALUE));
            case REPLACE -> replace = JsonFields.bool(json, field);
            case BUCKED_NAME -> JsonFields.string(json, field);
        }
    }

    private static String text(JsonReader json, PushField field, int limit) {
        return FieldRules.name(field.text, JsonFields.string(json, field), limit);
    }

    private static long time(JsonReader json, PushField field) {
        return FieldRules.time(field.text, JsonFields.integer(json, field, MAX_DUE_TIME_MS));
    }

    /** The original clients send where they believe the message is; only the start of its way makes sense in a push. */
    private static void checkStatus(long code) {
        if (code != MessageStatus.WAIT_PUT.code() && code != MessageStatus.RESTORE.code()) {
            throw invalid("status must be 0 or 5");
        }
    }
}
