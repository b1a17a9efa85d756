package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

import io.mykit.delay.common.trace.TraceContext;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The parts of a message that few messages have. A message without them has {@link #NONE}, so that it costs what it cost
 * before they existed. Immutable. No component is null.
 *
 * @param binary whether the body is the Base64 text of bytes (RFC 4648, with padding); the consumer gets the bytes
 * @param headers texts that go along to the consumer, by their names in lower case, in the order of the names
 * @param retry the producer's retry policy, which overrides that of the topic key by key
 * @param ttrMs the time for which a pull consumer may hold the message, in milliseconds; 0 = not given
 * @param target the destination of this message alone, for channels with targets; the channel defines the names
 * @param firstDueMs the due time before the first retry moved it, epoch milliseconds; 0 = no retry has moved it
 * @param idempotencyKeys the keys of the last pushes with {@code replace}, newest first, at most {@value
 *     MessageLimits#MAX_IDEMPOTENCY_KEYS}. The row has them, and the index does not
 */
public record MessageExtras(
        boolean binary,
        Map<String, String> headers,
        RetryOptions retry,
        long ttrMs,
        Map<String, String> target,
        long firstDueMs,
        List<String> idempotencyKeys) {
    public static final MessageExtras NONE = new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0);

    public MessageExtras {
        headers = sorted(headers);
        requireNonNull(retry, "retry");
        target = sorted(target);
        idempotencyKeys = List.copyOf(idempotencyKeys);
    }

    /** Extras without idempotency keys. */
    public MessageExtras(
            boolean binary,
            Map<String, String> headers,
            RetryOptions retry,
            long ttrMs,
            Map<String, String> target,
            long firstDueMs) {
        this(binary, headers, retry, ttrMs, target, firstDueMs, List.of());
    }

    /** Whether the message has none of the parts that {@code options} in the table keeps. */
    public boolean hasNoOptions() {
        return headers.isEmpty()
                && retry.equals(RetryOptions.NONE)
                && ttrMs == 0
                && target.isEmpty()
                && idempotencyKeys.isEmpty();
    }

    /** The characters of headers and target. */
    long characters() {
        return characters(headers) + characters(target);
    }

    private static long characters(Map<String, String> map) {
        long characters = 0;
        for (Map.Entry<String, String> entry : map.entrySet()) {
            characters += entry.getKey().length() + entry.getValue().length();
        }
        return characters;
    }

    /** The same parts with another first due time. Returns the shared {@link #NONE} where nothing is left. */
    public MessageExtras withFirstDue(long newFirstDueMs) {
        return orNone(new MessageExtras(binary, headers, retry, ttrMs, target, newFirstDueMs, idempotencyKeys));
    }

    /** The same parts with other headers. */
    public MessageExtras withHeaders(Map<String, String> newHeaders) {
        return new MessageExtras(binary, newHeaders, retry, ttrMs, target, firstDueMs, idempotencyKeys);
    }

    /** The same parts without keys. Returns the shared {@link #NONE} where nothing is left. */
    public MessageExtras withoutKeys() {
        return idempotencyKeys.isEmpty() ? this : withKeys(List.of());
    }

    /** The same parts with these keys behind the own ones, as many as a row keeps. */
    MessageExtras withEarlierKeys(List<String> earlier) {
        return earlier.isEmpty()
                ? this
                : withKeys(Stream.concat(idempotencyKeys.stream(), earlier.stream())
                        .distinct()
                        .limit(MessageLimits.MAX_IDEMPOTENCY_KEYS)
                        .toList());
    }

    private MessageExtras withKeys(List<String> keys) {
        return orNone(new MessageExtras(binary, headers, retry, ttrMs, target, firstDueMs, keys));
    }

    private static MessageExtras orNone(MessageExtras extras) {
        return extras.equals(NONE) ? NONE : extras;
    }

    /**
     * Whether the producer gave the same parts. Retries change the first due time, and no producer does. The context of the
     * trace is no content, because a repeated push has a span of its own; an idempotency key is none either.
     */
    boolean sameContent(MessageExtras other) {
        return binary == other.binary
                && withoutTrace(headers).equals(withoutTrace(other.headers))
                && retry.equals(other.retry)
                && ttrMs == other.ttrMs
                && target.equals(other.target);
    }

    /** Leaves the values out: headers and targets may hold secrets. */
    @Override
    public String toString() {
        return "MessageExtras[binary=" + binary + ", headers=" + headers.keySet() + ", retry=" + retry + ", ttrMs="
                + ttrMs + ", target=" + target.keySet() + ", firstDueMs=" + firstDueMs + ", idempotencyKeys="
                + idempotencyKeys + "]";
    }

    private static Map<String, String> withoutTrace(Map<String, String> headers) {
        if (headers.keySet().stream().noneMatch(TraceContext::isHeader)) {
            return headers;
        }
        Map<String, String> others = new TreeMap<>(headers);
        others.keySet().removeIf(TraceContext::isHeader);
        return others;
    }

    private static Map<String, String> sorted(Map<String, String> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
