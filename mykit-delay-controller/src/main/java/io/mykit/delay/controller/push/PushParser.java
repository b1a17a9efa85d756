package io.mykit.delay.controller.push;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.json.push.PushFields;
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
     * @param requestId the header of the request; null = none
     */
    PushRequest parse(byte[] bytes, RequestTrace trace, String requestId) {
        try (JsonReader json = reader(bytes)) {
            PushFields fields = PushFields.read(json, maxWait);
            json.end();
            return request(fields, trace, requestId);
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
     * @param requestId the header of the request; null = none
     */
    PushRequest parseItem(JsonReader json, int maxBodyBytes, RequestTrace trace, String requestId) {
        if (!json.isObject()) {
            throw invalid("an item must be an object");
        }
        PushFields fields = PushFields.read(json, maxWait);
        if (fields.waits()) {
            throw invalid("wait is a field of /push; a batch does not wait");
        }
        fields.push().limitBody(maxBodyBytes);
        return request(fields, trace, requestId);
    }

    private PushRequest request(PushFields fields, RequestTrace trace, String requestId) {
        fields.push().requestId(requestId);
        return new PushRequest(rules.check(fields.push(), trace::kept), fields.longestWait());
    }
}
