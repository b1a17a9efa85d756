package io.mykit.delay.json.push;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;
import static io.mykit.delay.common.message.MessageLimits.MAX_PRIORITY;
import static io.mykit.delay.common.message.MessageLimits.MAX_TTL_SECONDS;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.text.Misspelling;
import io.mykit.delay.json.JsonFields;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.queue.producer.NewPush;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Reads the JSON of one pushed message. {@link NewPush} has the rules; here are the forms of JSON. One thread reads them once. */
public final class PushFields {
    private final NewPush push = new NewPush();
    private final Duration maxWait;
    private Duration wait = Duration.ZERO;
    private boolean waits;

    private PushFields(Duration maxWait) {
        this.maxWait = maxWait;
    }

    /**
     * Reads the reader's current object to its end. A null value counts as a missing field.
     *
     * @param maxWait the longest wait of a producer
     */
    public static PushFields read(JsonReader json, Duration maxWait) {
        PushFields fields = new PushFields(maxWait);
        Set<PushField> seen = EnumSet.noneOf(PushField.class);
        json.beginObject();
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            PushField field = PushField.named(name);
            if (!seen.add(field)) {
                throw invalid(field.text() + " is given twice");
            }
            if (!json.isNull()) {
                fields.read(field, json);
            }
        }
        return fields;
    }

    /** Reads a message of a protocol that has no answers to wait for: {@code wait} is refused. */
    public static NewPush readWithoutWait(JsonReader json) {
        // Every wait is read, so that the refusal is that of the field and not of its length.
        PushFields fields = read(json, Duration.ofMillis(MAX_DUE_TIME_MS));
        if (fields.waits) {
            throw invalid("wait is a field of POST /push only");
        }
        return fields.push;
    }

    /** The push with the fields that were given. */
    public NewPush push() {
        return push;
    }

    /** How long the producer waits for the end of the message; zero = not at all. */
    public Duration longestWait() {
        return wait;
    }

    /** Whether the field {@code wait} is given. */
    public boolean waits() {
        return waits;
    }

    private void read(PushField field, JsonReader json) {
        String name = field.text();
        switch (field) {
            case ID -> push.id(JsonFields.id(json, name));
            case TOPIC -> push.topic(JsonFields.string(json, name));
            case SUBTOPIC -> push.subtopic(JsonFields.string(json, name));
            case BIZ_KEY -> push.bizKey(JsonFields.string(json, name));
            case BODY -> push.body(JsonFields.body(json));
            case BODY_BASE64 -> push.bodyBase64(JsonFields.string(json, name));
            case DELAY -> push.delay(JsonFields.delayMs(json, name, MAX_DUE_TIME_MS));
            case TRIGGER_AT -> push.triggerAt(JsonFields.timeMs(json, name));
            case CREATE_TIME -> push.createTime(JsonFields.timeMs(json, name));
            case TTL -> push.ttl(JsonFields.seconds(json, name, MAX_TTL_SECONDS));
            case PRIORITY -> push.priority(JsonFields.integer(json, name, MAX_PRIORITY));
            case STATUS -> checkStatus(JsonFields.integer(json, name, Integer.MAX_VALUE));
            case REPLACE -> push.replace(JsonFields.bool(json, name));
            case IDEMPOTENCY_KEY -> push.idempotencyKey(JsonFields.string(json, name));
            case HEADERS -> texts(json, name, push::header);
            case RETRY -> push.retry(PushRetry.read(json, name));
            case TTR -> push.ttr(JsonFields.durationMs(json, name, NewPush.MIN_TTR_MS, NewPush.MAX_TTR_MS));
            case TARGET -> texts(json, name, push::target);
            case WAIT -> waits(JsonFields.durationMs(json, name, 0, maxWait.toMillis()));
            case BUCKED_NAME -> JsonFields.string(json, name);
        }
    }

    private void waits(long waitMs) {
        waits = true;
        wait = Duration.ofMillis(waitMs);
    }

    /** Reads an object of texts. */
    private static void texts(JsonReader json, String field, Texts texts) {
        JsonFields.object(json, field);
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            texts.put(name, JsonFields.string(json, field + "." + Misspelling.shorten(name)));
        }
    }

    /** The original clients send the status that they expect. A push may only have a status of its begin. */
    private static void checkStatus(long code) {
        if (code != MessageStatus.WAIT_PUT.code() && code != MessageStatus.RESTORE.code()) {
            throw invalid("status must be 0 or 5");
        }
    }

    private interface Texts {
        void put(String name, String text);
    }
}
