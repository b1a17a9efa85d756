package io.mykit.delay.json.push;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.json.JsonFields;
import io.mykit.delay.json.JsonReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the JSON of a pushed message's retry policy. One thread reads it once. */
final class PushRetry {
    private static final List<String> KEYS =
            List.of("maxAttempts", "interval", "multiplier", "maxInterval", "gaps", "jitter");

    private Integer maxAttempts;
    private Long intervalMs;
    private Double multiplier;
    private Long maxIntervalMs;
    private List<Long> gapsMs;
    private Double jitter;

    private PushRetry() {}

    /** Reads the reader's current object to its end. A null value counts as a missing key. */
    static RetryOptions read(JsonReader json, String field) {
        JsonFields.object(json, field);
        PushRetry keys = new PushRetry();
        String inside = field + ".";
        Set<String> seen = new HashSet<>();
        for (String name = json.nextField(); name != null; name = json.nextField()) {
            if (!KEYS.contains(name)) {
                throw PushField.unknown(inside, name, KEYS);
            }
            if (!seen.add(name)) {
                throw invalid(inside + name + " is given twice");
            }
            if (!json.isNull()) {
                keys.read(json, name, inside + name);
            }
        }
        return new RetryOptions(
                keys.maxAttempts, keys.intervalMs, keys.multiplier, keys.maxIntervalMs, keys.gapsMs, keys.jitter);
    }

    private void read(JsonReader json, String name, String path) {
        switch (name) {
            case "maxAttempts" -> maxAttempts = (int) JsonFields.integer(json, path, RetryLimits.MAX_ATTEMPTS);
            case "interval" -> intervalMs = gap(json, path);
            case "multiplier" -> multiplier = JsonFields.decimal(json, path, 1, RetryLimits.MAX_MULTIPLIER);
            case "maxInterval" -> maxIntervalMs = gap(json, path);
            case "gaps" -> gapsMs = gaps(json, path);
            case "jitter" -> jitter = JsonFields.decimal(json, path, 0, 1);
            default -> throw new IllegalArgumentException(name);
        }
    }

    private static List<Long> gaps(JsonReader json, String path) {
        JsonFields.array(json, path);
        List<Long> gapsMs = new ArrayList<>();
        while (json.nextItem()) {
            if (gapsMs.size() == RetryLimits.MAX_GAPS) {
                throw invalid(path + " has more than " + RetryLimits.MAX_GAPS + " entries");
            }
            gapsMs.add(gap(json, path + "[" + gapsMs.size() + "]"));
        }
        return gapsMs;
    }

    private static long gap(JsonReader json, String path) {
        return JsonFields.durationMs(json, path, 0, RetryLimits.MAX_GAP_MS);
    }
}
