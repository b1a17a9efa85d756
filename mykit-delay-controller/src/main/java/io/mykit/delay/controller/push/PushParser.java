package io.mykit.delay.controller.push;

import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;
import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.trace.RequestTrace;
import io.mykit.delay.queue.delivery.Objection;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Parses the bytes of a request into a message, or refuses them with the reason. Thread-safe. */
final class PushParser {
    private static final int FIRST_VERSION = 0;

    private final Supplier<String> ids;
    private final InstantSource clock;
    private final Function<DelayMessage, Optional<Objection>> objection;
    private final Duration maxWait;

    /**
     * @param ids makes ids for producers that give none
     * @param objection the reason why the topic's channel does not take a message
     * @param maxWait the longest wait of a producer
     */
    PushParser(
            Supplier<String> ids,
            InstantSource clock,
            Function<DelayMessage, Optional<Objection>> objection,
            Duration maxWait) {
        this.ids = ids;
        this.clock = clock;
        this.objection = objection;
        this.maxWait = maxWait;
    }

    /**
     * Parses one message; the text must end after it.
     *
     * @param trace of the request
     */
    PushRequest parse(byte[] bytes, RequestTrace trace) {
        try (JsonReader json = reader(bytes)) {
            PushFields fields = PushFields.read(json, maxWait);
            json.end();
            return request(fields, trace);
        }
    }

    /** A reader of these bytes, at their first token. */
    static JsonReader reader(byte[] bytes) {
        if (bytes.length == 0) {
            throw invalid("the request has no body");
        }
        return new JsonReader(bytes);
    }

    /**
     * Parses the message at the reader's position.
     *
     * @param maxBodyBytes the maximum of its body in UTF-8
     * @param trace of the request
     */
    PushRequest parseItem(JsonReader json, int maxBodyBytes, RequestTrace trace) {
        if (!json.isObject()) {
            throw invalid("an item must be an object");
        }
        PushFields fields = PushFields.read(json, maxWait);
        if (fields.has(PushField.WAIT)) {
            throw invalid("wait is a field of /push; a batch does not wait");
        }
        // A UTF-16 unit takes at most three bytes, so most bodies need no measurement.
        if (fields.body.length() * 3L > maxBodyBytes && bodyBytes(fields) > maxBodyBytes) {
            throw new DelayException(ErrorCode.TOO_LARGE, "body is larger than " + maxBodyBytes + " bytes");
        }
        return request(fields, trace);
    }

    private static int bodyBytes(PushFields fields) {
        return fields.has(PushField.BODY_BASE64)
                ? Base64.getDecoder().decode(fields.body).length
                : ByteBufUtil.utf8Bytes(fields.body);
    }

    private PushRequest request(PushFields fields, RequestTrace trace) {
        if (fields.has(PushField.BODY) && fields.has(PushField.BODY_BASE64)) {
            throw invalid("body and bodyBase64 exclude each other");
        }
        if (fields.topic.isEmpty()) {
            throw invalid("topic is required");
        }
        if (fields.has(PushField.IDEMPOTENCY_KEY) && (!fields.replace || fields.id.isEmpty())) {
            throw invalid(
                    "idempotencyKey needs replace and id; without replace, the id alone makes a repeated push safe");
        }
        DelayMessage message = message(fields);
        objection.apply(message).ifPresent(found -> {
            throw new DelayException(found.code(), found.reason());
        });
        return new PushRequest(traced(message, trace), fields.replace, fields.wait);
    }

    /** The message with the context of its trace; without it if the channel takes no such headers. A trace refuses no push. */
    private DelayMessage traced(DelayMessage message, RequestTrace trace) {
        DelayMessage traced = trace.kept(message);
        return traced.equals(message) || objection.apply(traced).isEmpty() ? traced : message;
    }

    private DelayMessage message(PushFields fields) {
        long createTimeMs = fields.has(PushField.CREATE_TIME) ? fields.createTimeMs : clock.millis();
        long delayMs = fields.delayMs;
        long dueTimeMs = createTimeMs + delayMs;
        if (fields.has(PushField.TRIGGER_AT)) {
            if (fields.has(PushField.DELAY)) {
                throw invalid("delay and triggerAt exclude each other");
            }
            dueTimeMs = fields.triggerAtMs;
            delayMs = Math.max(0, dueTimeMs - createTimeMs);
        }
        // Both terms are at most MAX_DUE_TIME_MS, so their sum is far from overflowing a long.
        if (dueTimeMs > MAX_DUE_TIME_MS) {
            throw invalid("createTime + delay must not be greater than " + MAX_DUE_TIME_MS);
        }
        return new DelayMessage(
                fields.id.isEmpty() ? ids.get() : fields.id,
                fields.topic,
                fields.subtopic,
                fields.bizKey,
                fields.body,
                delayMs,
                createTimeMs,
                dueTimeMs,
                fields.priority,
                fields.ttlSeconds,
                FIRST_VERSION,
                fields.extras());
    }
}
