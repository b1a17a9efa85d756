package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

import io.mykit.delay.common.trace.TraceContext;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The parts of a message that few messages have. A message without them has {@link #NONE}, so that it costs what it cost
 * before they existed. Immutable. No component is null.
 *
 * @param binary whether the body is the Base64 text of bytes (RFC 4648, with padding); the consumer gets the bytes
 * @param headers texts that go along to the consumer, by their names as the producer wrote them, in the order of the names. Rows
 *     of older versions have the names in lower case
 * @param retry the producer's retry policy, which overrides that of the topic key by key
 * @param ttrMs the time for which a pull consumer may hold the message, in milliseconds; 0 = not given
 * @param target the destination of this message alone, for channels with targets; the channel defines the names
 * @param firstDueMs the due time before the first retry moved it, epoch milliseconds; 0 = no retry has moved it
 * @param idempotencyKeys the keys of the last pushes with {@code replace}, newest first, at most {@value
 *     MessageLimits#MAX_IDEMPOTENCY_KEYS}. The row has them, and the index does not
 * @param requestId the id of the request that brought the present content, for people; empty = none. The row has it, and the index does
 *     not
 */
public record MessageExtras(
        boolean binary,
        Map<String, String> headers,
        RetryOptions retry,
        long ttrMs,
        Map<String, String> target,
        long firstDueMs,
        List<String> idempotencyKeys,
        String requestId) {
    public static final MessageExtras NONE = new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0);

    public MessageExtras {
        headers = sorted(headers);
        requireNonNull(retry, "retry");
        target = sorted(target);
        idempotencyKeys = List.copyOf(idempotencyKeys);
        requireNonNull(requestId, "requestId");
    }

    /** Extras without the parts that the row alone has. */
    public MessageExtras(
            boolean binary,
            Map<String, String> headers,
            RetryOptions retry,
            long ttrMs,
            Map<String, String> target,
            long firstDueMs) {
        this(binary, headers, retry, ttrMs, target, firstDueMs, List.of(), "");
    }

    /** Whether the message has none of the parts that {@code options} in the table keeps. */
    public boolean hasNoOptions() {
        return headers.isEmpty()
                && retry.equals(RetryOptions.NONE)
                && ttrMs == 0
                && target.isEmpty()
                && idempotencyKeys.isEmpty()
                && requestId.isEmpty();
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
        return orNone(
                new MessageExtras(binary, headers, retry, ttrMs, target, newFirstDueMs, idempotencyKeys, requestId));
    }

    /** The same parts with other headers. */
    public MessageExtras withHeaders(Map<String, String> newHeaders) {
        return new MessageExtras(binary, newHeaders, retry, ttrMs, target, firstDueMs, idempotencyKeys, requestId);
    }

    /** The same parts with another retry policy. */
    public MessageExtras withRetry(RetryOptions newRetry) {
        return orNone(
                new MessageExtras(binary, headers, newRetry, ttrMs, target, firstDueMs, idempotencyKeys, requestId));
    }

    /** The parts that the index has. Returns the shared {@link #NONE} where nothing is left. */
    public MessageExtras ofIndex() {
        return idempotencyKeys.isEmpty() && requestId.isEmpty()
                ? this
                : orNone(new MessageExtras(binary, headers, retry, ttrMs, target, firstDueMs));
    }

    /** The same parts with these keys behind the own ones, as many as a row keeps. */
    MessageExtras withEarlierKeys(List<String> earlier) {
        return earlier.isEmpty()
                ? this
                : new MessageExtras(
                        binary,
                        headers,
                        retry,
                        ttrMs,
                        target,
                        firstDueMs,
                        Stream.concat(idempotencyKeys.stream(), earlier.stream())
                                .distinct()
                                .limit(MessageLimits.MAX_IDEMPOTENCY_KEYS)
                                .toList(),
                        requestId);
    }

    private static MessageExtras orNone(MessageExtras extras) {
        return extras.equals(NONE) ? NONE : extras;
    }

    /**
     * Whether the producer gave the same parts. Retries change the first due time, and no producer does. The context of the
     * trace and the id of the request are no content, because a repeated push has its own; an idempotency key is none either.
     */
    boolean sameContent(MessageExtras other) {
        return binary == other.binary
                && sameHeaders(withoutTrace(headers), withoutTrace(other.headers))
                && retry.equals(other.retry)
                && ttrMs == other.ttrMs
                && target.equals(other.target);
    }

    /** Older versions kept names in lower case: a push that is repeated after an upgrade is still a repeat. */
    private static boolean sameHeaders(Map<String, String> some, Map<String, String> others) {
        return some.equals(others)
                || (some.size() == others.size() && (lowered(some).equals(others) || some.equals(lowered(others))));
    }

    private static Map<String, String> lowered(Map<String, String> headers) {
        Map<String, String> lowered = new TreeMap<>();
        headers.forEach((name, value) -> lowered.put(name.toLowerCase(Locale.ROOT), value));
        return lowered;
    }

    /** Leaves the values out: headers and targets may hold secrets. */
    @Override
    public String toString() {
        return "MessageExtras[binary=" + binary + ", headers=" + headers.keySet() + ", retry=" + retry + ", ttrMs="
                + ttrMs + ", target=" + target.keySet() + ", firstDueMs=" + firstDueMs + ", idempotencyKeys="
                + idempotencyKeys + ", requestId=" + requestId + "]";
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
