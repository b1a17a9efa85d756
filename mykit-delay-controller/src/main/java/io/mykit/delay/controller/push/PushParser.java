package io.mykit.delay.controller.push;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.trace.RequestTrace;
import io.mykit.delay.queue.producer.PushRules;
import java.time.Duration;

/** Parses the bytes of a request into a message, or refuses them with the reason. Thread-safe. */
final class PushParser {
    private final PushRules rules;
    private final Duration maxWait;

    /** @param maxWait the longest wait of a producer */
    PushParser(PushRules rules, Duration maxWait) {
        this.rules = rules;
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
        if (fields.waits) {
            throw invalid("wait is a field of /push; a batch does not wait");
        }
        fields.push.limitBody(maxBodyBytes);
        return request(fields, trace);
    }

    private PushRequest request(PushFields fields, RequestTrace trace) {
        return new PushRequest(rules.check(fields.push, trace::kept), fields.wait);
    }
}
