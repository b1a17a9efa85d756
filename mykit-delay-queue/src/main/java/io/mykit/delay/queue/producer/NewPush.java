package io.mykit.delay.queue.producer;

import static io.mykit.delay.common.message.FieldRules.invalid;
import static io.mykit.delay.common.message.MessageLimits.MAX_DUE_TIME_MS;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.text.Misspelling;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The fields of a push, whatever protocol it came by. Each field is checked when it is given, and refused with a {@link DelayException}
 * of {@link ErrorCode#INVALID_REQUEST} that names the field and the limit. A field that is not given has its default. {@link PushRules}
 * checks the fields together. For one thread.
 */
public final class NewPush {
    /** Milliseconds. */
    public static final long MIN_TTR_MS = Duration.ofSeconds(1).toMillis();
    /** Milliseconds. */
    public static final long MAX_TTR_MS = Duration.ofHours(24).toMillis();

    private static final long NOT_RETRIED = 0;

    private static final String HEADERS = "headers";
    private static final int MAX_HEADERS = 128;
    private static final int MAX_HEADER_NAME = 128;
    private static final int MAX_HEADERS_BYTES = 16_384;

    /** The server writes such headers itself, in any case. The channels know what else their protocols reserve. */
    private static final String RESERVED_PREFIX = "mykit-delay-";

    private static final String TARGET = "target";
    private static final Pattern TARGET_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final int MAX_TARGET = 16;
    private static final int MAX_TARGET_VALUE = 2048;

    private final Map<String, String> headers = new TreeMap<>();
    private final Map<String, String> target = new TreeMap<>();
    private int headersBytes;

    String id = "";
    /** The id that the protocol gives if the producer gives none, without the prefix of a namespace; empty = none. */
    String idElse = "";

    String topic = "";
    String subtopic = "";
    String bizKey = "";
    /** Null = not given. */
    String body;
    /** Null = not given. */
    String bodyBase64;
    /** Null = not given. */
    Long delayMs;
    /** Null = not given. */
    Long triggerAtMs;
    /** Null = not given. */
    Long createTimeMs;

    long ttlSeconds;
    int priority;
    boolean replace;
    /** Null = not given. */
    String idempotencyKey;

    private String requestId = "";
    private RetryOptions retry = RetryOptions.NONE;
    private long ttrMs;

    /** At most {@value MessageLimits#MAX_ID} characters; empty = the server makes one. */
    public NewPush id(String text) {
        id = FieldRules.name("id", text, MessageLimits.MAX_ID);
        return this;
    }

    /** At most {@value MessageLimits#MAX_TOPIC} characters; required. */
    public NewPush topic(String text) {
        topic = FieldRules.name("topic", text, MessageLimits.MAX_TOPIC);
        return this;
    }

    /** The topic that was given; empty = none. */
    public String topic() {
        return topic;
    }

    /** At most {@value MessageLimits#MAX_SUBTOPIC} characters. */
    public NewPush subtopic(String text) {
        subtopic = FieldRules.name("subtopic", text, MessageLimits.MAX_SUBTOPIC);
        return this;
    }

    /** At most {@value MessageLimits#MAX_BIZ_KEY} characters. */
    public NewPush bizKey(String text) {
        bizKey = FieldRules.name("bizKey", text, MessageLimits.MAX_BIZ_KEY);
        return this;
    }

    /** Any text that has a form in UTF-8. The protocol bounds its size. Excludes {@link #bodyBase64}. */
    public NewPush body(String text) {
        body = FieldRules.paired("body", text);
        return this;
    }

    /** Bytes, as Base64 (RFC 4648, section 4). Excludes {@link #body}. */
    public NewPush bodyBase64(String text) {
        bodyBase64 = FieldRules.base64("bodyBase64", text);
        return this;
    }

    /** The same bytes as {@link #bodyBase64}, for a protocol that has bytes. */
    public NewPush body(byte[] bytes) {
        bodyBase64 = Base64.getEncoder().encodeToString(bytes);
        return this;
    }

    /** Milliseconds from {@code createTime} on. Excludes {@link #triggerAt}. */
    public NewPush delay(long milliseconds) {
        delayMs = FieldRules.range("delay", milliseconds, MAX_DUE_TIME_MS);
        return this;
    }

    /** The due time, epoch milliseconds. Excludes {@link #delay}. */
    public NewPush triggerAt(long epochMs) {
        triggerAtMs = time("triggerAt", epochMs);
        return this;
    }

    /** When the producer made the message, epoch milliseconds; not given = now. */
    public NewPush createTime(long epochMs) {
        createTimeMs = time("createTime", epochMs);
        return this;
    }

    /** How long after its due time the message is worth a delivery, in seconds; 0 = the policy of the topic. */
    public NewPush ttl(long seconds) {
        ttlSeconds = FieldRules.range("ttl", seconds, MessageLimits.MAX_TTL_SECONDS);
        return this;
    }

    /** 0 to {@value MessageLimits#MAX_PRIORITY}. */
    public NewPush priority(long value) {
        priority = (int) FieldRules.range("priority", value, MessageLimits.MAX_PRIORITY);
        return this;
    }

    /**
     * Takes what a protocol knows of each message where the producer gave nothing: a protocol that may hand over the same message twice
     * makes repeats of it. After all other fields.
     *
     * @param anyId gets the prefix of the topic's namespace
     * @param createTimeEpochMs 0 = now
     * @param key is asked with {@link #replace} only
     */
    public NewPush orElse(String anyId, long createTimeEpochMs, Supplier<String> key) {
        idElse = FieldRules.name("id", anyId, MessageLimits.MAX_ID);
        if (createTimeMs == null && createTimeEpochMs > 0) {
            createTime(createTimeEpochMs);
        }
        if (replace && idempotencyKey == null) {
            idempotencyKey(key.get());
        }
        return this;
    }

    /** Whether the push may replace a message with this id that is not due yet, or arm an ended one again. */
    public NewPush replace(boolean value) {
        replace = value;
        return this;
    }

    /** Tells a repeat of this push from a new one; needs {@link #replace} and {@link #id}. */
    public NewPush idempotencyKey(String text) {
        idempotencyKey = FieldRules.idempotencyKey("idempotencyKey", text);
        return this;
    }

    /**
     * The id of the request that brings the push, kept for people. It comes with the protocol and not with the message, so one that is
     * not usable is left out ({@link FieldRules#isRequestId}).
     *
     * @param given null = none
     */
    public NewPush requestId(String given) {
        requestId = FieldRules.isRequestId(given) ? given : "";
        return this;
    }

    /**
     * A text that goes along to the consumer under this name, in this case: at most 128 of them, together at most 16,384 bytes. The channel
     * of the topic refuses what its protocol cannot carry.
     */
    public NewPush header(String name, String text) {
        checkHeaderName(name);
        String path = HEADERS + "." + Misspelling.shorten(name);
        headersBytes += bytes(name) + bytes(FieldRules.paired(path, text));
        if (headers.put(name, text) != null) {
            throw invalid(path + " is given twice");
        }
        if (headers.size() > MAX_HEADERS) {
            throw invalid(HEADERS + " has more than " + MAX_HEADERS + " entries");
        }
        if (headersBytes > MAX_HEADERS_BYTES) {
            throw invalid(HEADERS + " is longer than " + MAX_HEADERS_BYTES + " bytes");
        }
        return this;
    }

    /** The producer's retry policy, which overrides that of the topic key by key. */
    public NewPush retry(RetryOptions options) {
        String inside = "retry.";
        checkGaps(inside, options);
        range(inside + "maxAttempts", options.maxAttempts(), RetryLimits.MAX_ATTEMPTS);
        if (options.gapsMs() != null && options.grows()) {
            throw invalid(inside + "gaps excludes interval, multiplier and maxInterval");
        }
        if (options.intervalMs() != null
                && options.maxIntervalMs() != null
                && options.maxIntervalMs() < options.intervalMs()) {
            throw invalid(inside + "maxInterval must not be less than " + inside + "interval");
        }
        decimal(inside + "multiplier", options.multiplier(), 1, RetryLimits.MAX_MULTIPLIER);
        decimal(inside + "jitter", options.jitter(), 0, 1);
        retry = options;
        return this;
    }

    /** The time for which a pull consumer may hold the message, in milliseconds: a second to a day. */
    public NewPush ttr(long milliseconds) {
        FieldRules.range(
                "ttr", Duration.ofMillis(milliseconds), Duration.ofMillis(MIN_TTR_MS), Duration.ofMillis(MAX_TTR_MS));
        ttrMs = milliseconds;
        return this;
    }

    /** A part of the destination of this message alone. The channel of the topic judges names and values. */
    public NewPush target(String name, String text) {
        String path = TARGET + "." + Misspelling.shorten(name);
        if (!TARGET_NAME.matcher(name).matches()) {
            throw invalid("unknown field " + path);
        }
        if (target.put(name, FieldRules.plain(path, text, MAX_TARGET_VALUE)) != null) {
            throw invalid(path + " is given twice");
        }
        if (target.size() > MAX_TARGET) {
            throw invalid(TARGET + " has more than " + MAX_TARGET + " entries");
        }
        return this;
    }

    /**
     * Bounds the body where the protocol carries more than one message.
     *
     * @throws DelayException TOO_LARGE
     */
    public void limitBody(int maxBytes) {
        if (bodyBase64 != null) {
            limit(maxBytes, bodyBase64.length(), () -> Base64.getDecoder().decode(bodyBase64).length);
        } else if (body != null) {
            // A UTF-16 unit takes at most three bytes, so most bodies need no measurement.
            limit(maxBytes, body.length() * 3L, () -> body.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    private static void limit(int maxBytes, long atMost, IntSupplier bytes) {
        if (atMost > maxBytes && bytes.getAsInt() > maxBytes) {
            throw new DelayException(ErrorCode.TOO_LARGE, "body is larger than " + maxBytes + " bytes");
        }
    }

    /** Whether the producer or the protocol gives an id. */
    boolean hasId() {
        return !id.isEmpty() || !idElse.isEmpty();
    }

    MessageExtras extras() {
        List<String> keys = idempotencyKey == null ? List.of() : List.of(idempotencyKey);
        MessageExtras extras =
                new MessageExtras(bodyBase64 != null, headers, retry, ttrMs, target, NOT_RETRIED, keys, requestId);
        return extras.equals(MessageExtras.NONE) ? MessageExtras.NONE : extras;
    }

    private static long time(String field, long epochMs) {
        return FieldRules.time(field, FieldRules.range(field, epochMs, MAX_DUE_TIME_MS));
    }

    private static void checkHeaderName(String name) {
        FieldRules.required("a name in " + HEADERS, name, MAX_HEADER_NAME);
        if (name.regionMatches(true, 0, RESERVED_PREFIX, 0, RESERVED_PREFIX.length())) {
            throw invalid(HEADERS + "." + Misspelling.shorten(name) + " is reserved: the server writes "
                    + RESERVED_PREFIX + "* itself");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void checkGaps(String inside, RetryOptions options) {
        gap(inside + "interval", options.intervalMs());
        gap(inside + "maxInterval", options.maxIntervalMs());
        List<Long> gapsMs = options.gapsMs();
        if (gapsMs == null) {
            return;
        }
        if (gapsMs.isEmpty()) {
            throw invalid(inside + "gaps is empty");
        }
        if (gapsMs.size() > RetryLimits.MAX_GAPS) {
            throw invalid(inside + "gaps has more than " + RetryLimits.MAX_GAPS + " entries");
        }
        for (int i = 0; i < gapsMs.size(); i++) {
            gap(inside + "gaps[" + i + "]", gapsMs.get(i));
        }
    }

    private static void gap(String field, Long milliseconds) {
        if (milliseconds != null) {
            FieldRules.range(
                    field, Duration.ofMillis(milliseconds), Duration.ZERO, Duration.ofMillis(RetryLimits.MAX_GAP_MS));
        }
    }

    private static void range(String field, Integer value, int max) {
        if (value != null) {
            FieldRules.range(field, value, max);
        }
    }

    private static void decimal(String field, Double value, int min, int max) {
        if (value != null && !(value >= min && value <= max)) {
            throw invalid(field + " must be a number from " + min + " to " + max);
        }
    }
}
