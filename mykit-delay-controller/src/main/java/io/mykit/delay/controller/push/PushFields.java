package io.mykit.delay.controller.push;

import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;
import static io.mykit.delay.common.message.MessageLimits.MAX_PRIORITY;
import static io.mykit.delay.common.message.MessageLimits.MAX_TTL_SECONDS;
import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.controller.json.JsonFields;
import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.text.FieldRules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of one pushed message, each checked separately. One thread reads them once. */
final class PushFields {
    private static final long MIN_TTR_MS = Duration.ofSeconds(1).toMillis();
    private static final long MAX_TTR_MS = Duration.ofHours(24).toMillis();
    private static final long NOT_RETRIED = 0;

    private final Set<PushField> given = EnumSet.noneOf(PushField.class);
    private final Duration maxWait;

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
    String idempotencyKey = "";
    Map<String, String> headers = Map.of();
    RetryOptions retry = RetryOptions.NONE;
    long ttrMs;
    Map<String, String> target = Map.of();
    Duration wait = Duration.ZERO;

    private PushFields(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * Reads the reader's current object to its end. A null value counts as a missing field.
     *
     * @param maxWait the longest wait of a producer
     */
    static PushFields read(JsonReader json, Duration maxWait) {
        PushFields fields = new PushFields(maxWait);
        Set<PushField> seen = EnumSet.noneOf(PushField.class);
        json.beginObject();
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            PushField field = PushField.named(name);
            if (!seen.add(field)) {
                throw invalid(field.text + " is given twice");
            }
            if (!json.isNull()) {
                fields.given.add(field);
                fields.read(field, json);
            }
        }
        return fields;
    }

    boolean has(PushField field) {
        return given.contains(field);
    }

    MessageExtras extras() {
        MessageExtras extras =
                new MessageExtras(has(PushField.BODY_BASE64), headers, retry, ttrMs, target, NOT_RETRIED, keys());
        return extras.equals(MessageExtras.NONE) ? MessageExtras.NONE : extras;
    }

    private List<String> keys() {
        return idempotencyKey.isEmpty() ? List.of() : List.of(idempotencyKey);
    }

    private void read(PushField field, JsonReader json) {
        switch (field) {
            case ID -> id = FieldRules.name(field.text, JsonFields.id(json, field.text), MessageLimits.MAX_ID);
            case TOPIC -> topic = text(json, field, MessageLimits.MAX_TOPIC);
            case SUBTOPIC -> subtopic = text(json, field, MessageLimits.MAX_SUBTOPIC);
            case BIZ_KEY -> bizKey = text(json, field, MessageLimits.MAX_BIZ_KEY);
            case BODY -> body = JsonFields.body(json, field.text);
            case BODY_BASE64 -> body = FieldRules.base64(field.text, JsonFields.string(json, field.text));
            case DELAY -> delayMs = JsonFields.delayMs(json, field.text, MAX_DUE_TIME_MS);
            case TRIGGER_AT -> triggerAtMs = JsonFields.timeMs(json, field.text);
            case CREATE_TIME -> createTimeMs = JsonFields.timeMs(json, field.text);
            case TTL -> ttlSeconds = JsonFields.seconds(json, field.text, MAX_TTL_SECONDS);
            case PRIORITY -> priority = (int) JsonFields.integer(json, field.text, MAX_PRIORITY);
            case STATUS -> checkStatus(JsonFields.integer(json, field.text, Integer.MAX_VALUE));
            case REPLACE -> replace = JsonFields.bool(json, field.text);
            case IDEMPOTENCY_KEY ->
                idempotencyKey = FieldRules.idempotencyKey(field.text, JsonFields.string(json, field.text));
            case HEADERS -> headers = PushHeaders.read(json, field.text);
            case RETRY -> retry = PushRetry.read(json, field.text);
            case TTR -> ttrMs = JsonFields.durationMs(json, field.text, MIN_TTR_MS, MAX_TTR_MS);
            case TARGET -> target = PushTarget.read(json, field.text);
            case WAIT -> wait = Duration.ofMillis(JsonFields.durationMs(json, field.text, 0, maxWait.toMillis()));
            case BUCKED_NAME -> JsonFields.string(json, field.text);
        }
    }

    private static String text(JsonReader json, PushField field, int limit) {
        return FieldRules.name(field.text, JsonFields.string(json, field.text), limit);
    }

    /** The original clients send the status that they expect. A push may only have a status of its begin. */
    private static void checkStatus(long code) {
        if (code != MessageStatus.WAIT_PUT.code() && code != MessageStatus.RESTORE.code()) {
            throw invalid("status must be 0 or 5");
        }
    }
}
