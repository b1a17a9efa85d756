package io.mykit.delay.lmstfy.token;

import io.mykit.delay.access.token.LimitRules;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.json.JsonFields;
import io.mykit.delay.json.JsonReader;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Reply;
import io.mykit.delay.queue.store.StoredToken;
import java.util.Optional;

/**
 * The limits of a token as lmstfy writes them: so many consumes and publishes in an interval. Here they are messages a second, so a number
 * must be a multiple of its interval. Immutable.
 *
 * @param read 0 = no limit
 * @param write 0 = no limit
 * @param interval seconds
 */
public record Limiter(long read, long write, long interval) {
    private static final int BAD = 400;

    /**
     * Reads the body of a request. Fields that lmstfy does not know are ignored, and a field that is missing is 0.
     *
     * @throws DelayException INVALID_REQUEST; names the field
     */
    public static Limiter of(byte[] body) {
        try (JsonReader json = new JsonReader(body)) {
            long read = 0;
            long write = 0;
            long interval = 0;
            json.beginObject();
            for (String field = json.nextField(); field != null; field = json.nextField()) {
                switch (field) {
                    case "read" -> read = JsonFields.integer(json, field, Integer.MAX_VALUE);
                    case "write" -> write = JsonFields.integer(json, field, Integer.MAX_VALUE);
                    case "interval" -> interval = JsonFields.integer(json, field, Integer.MAX_VALUE);
                    default -> json.leave(1);
                }
            }
            json.end();
            return new Limiter(read, write, interval);
        }
    }

    /** The limits that a token has; empty = none. */
    static Optional<Limiter> of(StoredToken token) {
        return token.pushRate() == 0 && token.pullRate() == 0
                ? Optional.empty()
                : Optional.of(new Limiter(token.pullRate(), token.pushRate(), 1));
    }

    /**
     * Requires that a token can have these limits.
     *
     * @throws Refusal 400
     */
    public void check() {
        if (read == 0 && write == 0) {
            throw new Refusal(Reply.of(BAD, wrapped()), "no limit");
        }
        if (interval == 0) {
            throw Refusal.bad("interval should be > 0");
        }
        check("read", read);
        check("write", write);
    }

    private void check(String field, long count) {
        if (count % interval != 0) {
            throw Refusal.bad(
                    field + " must be a multiple of interval: limits here are whole numbers of jobs a second");
        }
        if (count / interval > LimitRules.MAX_RATE) {
            throw Refusal.bad(field + " divided by interval must be at most " + LimitRules.MAX_RATE);
        }
    }

    /** Pushes a second; 0 = no limit. */
    int pushRate() {
        return (int) (write / interval);
    }

    /** Pulled messages a second; 0 = no limit. */
    int pullRate() {
        return (int) (read / interval);
    }

    /** As a JSON object. */
    public String json() {
        return Json.object()
                .number("read", read)
                .number("write", write)
                .number("interval", interval)
                .end();
    }

    /** The object as the field {@code limiter} of another. */
    public String wrapped() {
        return Json.object().raw("limiter", json()).end();
    }
}
