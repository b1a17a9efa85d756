package io.mykit.delay.queue.options;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONException;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a message as JSON, with the names of a push: {@code {"headers":{},"retry":{},"ttr":60000,"target":{}}}.
 * The index also has, first of all, {@code "handed":2}. The table also has {@code "requestId":""} and {@code "idempotencyKeys":[]}. Durations are in milliseconds. A part that was not given is left out. A reader passes over names that it does not know,
 * because a newer node may have written them. Stateless.
 */
public final class OptionsJson {
    private static final String REQUEST_ID = "requestId";
    private static final String KEYS = "idempotencyKeys";

    private static final Pattern HANDED = Pattern.compile("\\{\"handed\":([0-9]{1,9})[,}]");

    private OptionsJson() {}

    /** How often consumers had the message of these options, under holds that have ended; 0 = never, or the options do not tell. */
    public static int handed(String options) {
        Matcher handed = HANDED.matcher(options);
        return handed.lookingAt() ? Integer.parseInt(handed.group(1)) : 0;
    }

    /** Returns the JSON, or null if the message has no options. */
    public static String write(MessageExtras extras) {
        if (extras.hasNoOptions()) {
            return null;
        }
        Map<String, Object> options = map(extras);
        if (!extras.idempotencyKeys().isEmpty()) {
            options.put(KEYS, extras.idempotencyKeys());
        }
        return JSON.toJSONString(options);
    }

    /** The parts that were given, by name, without idempotency keys. The values are JSON values. */
    public static Map<String, Object> map(MessageExtras extras) {
        Map<String, Object> options = new LinkedHashMap<>();
        if (!extras.headers().isEmpty()) {
            options.put("headers", extras.headers());
        }
        if (!extras.retry().equals(RetryOptions.NONE)) {
            options.put("retry", map(extras.retry()));
        }
        if (extras.ttrMs() != 0) {
            options.put("ttr", extras.ttrMs());
        }
        if (!extras.target().isEmpty()) {
            options.put("target", extras.target());
        }
        if (!extras.requestId().isEmpty()) {
            options.put(REQUEST_ID, extras.requestId());
        }
        return options;
    }

    private static Map<String, Object> map(RetryOptions retry) {
        Map<String, Object> keys = new LinkedHashMap<>();
        keys.put("maxAttempts", retry.maxAttempts());
        keys.put("interval", retry.intervalMs());
        keys.put("multiplier", retry.multiplier());
        keys.put("maxInterval", retry.maxIntervalMs());
        keys.put("gaps", retry.gapsMs());
        keys.put("jitter", retry.jitter());
        keys.values().removeIf(value -> value == null);
        return keys;
    }

    /**
     * @param binary see {@link MessageExtras#binary}
     * @param options as {@link #write} returned them
     * @param firstDueMs see {@link MessageExtras#firstDueMs}
     * @return the shared {@link MessageExtras#NONE} if the message has no extras
     * @throws IllegalArgumentException if the options are no such JSON
     */
    public static MessageExtras read(boolean binary, String options, long firstDueMs) {
        if (!binary && options == null && firstDueMs == 0) {
            return MessageExtras.NONE;
        }
        try {
            JSONObject json = options == null ? new JSONObject() : JSON.parseObject(options);
            return new MessageExtras(
                    binary,
                    texts(json.getJSONObject("headers")),
                    retry(json.getJSONObject("retry")),
                    json.getLongValue("ttr"),
                    texts(json.getJSONObject("target")),
                    firstDueMs,
                    json.containsKey(KEYS) ? json.getList(KEYS, String.class) : List.of(),
                    json.containsKey(REQUEST_ID) ? json.getString(REQUEST_ID) : "");
        } catch (JSONException | ClassCastException e) {
            throw new IllegalArgumentException("the stored options of a message are malformed", e);
        }
    }

    private static RetryOptions retry(JSONObject json) {
        if (json == null) {
            return RetryOptions.NONE;
        }
        List<Long> gapsMs = json.getList("gaps", Long.class);
        return new RetryOptions(
                json.getInteger("maxAttempts"),
                json.getLong("interval"),
                json.getDouble("multiplier"),
                json.getLong("maxInterval"),
                gapsMs,
                json.getDouble("jitter"));
    }

    private static Map<String, String> texts(JSONObject json) {
        Map<String, String> texts = new TreeMap<>();
        if (json != null) {
            json.keySet().forEach(name -> texts.put(name, json.getString(name)));
        }
        return texts;
    }
}
