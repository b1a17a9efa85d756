package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

import io.mykit.delay.common.trace.TraceContext;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

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
 */
public record MessageExtras(
        boolean binary,
        Map<String, String> headers,
        RetryOptions retry,
        long ttrMs,
        Map<String, String> target,
        long firstDueMs) {
    public static final MessageExtras NONE = new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0);

    public MessageExtras {
        headers = sorted(headers);
        requireNonNull(retry, "retry");
        target = sorted(target);
    }

    /** Whether the producer gave none of the parts that {@code options} in the table keeps. */
    public boolean hasNoOptions() {
        return headers.isEmpty() && retry.equals(RetryOptions.NONE) && ttrMs == 0 && target.isEmpty();
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
        MessageExtras changed = new MessageExtras(binary, headers, retry, ttrMs, target, newFirstDueMs);
        return changed.equals(NONE) ? NONE : changed;
    }

    /** The same parts with other headers. */
    public MessageExtras withHeaders(Map<String, String> newHeaders) {
        return new MessageExtras(binary, newHeaders, retry, ttrMs, target, firstDueMs);
    }

    /**
     * Whether the producer gave the same parts. Retries change the first due time, and no producer does. The context of the
     * trace is no content, because a repeated push has a span of its own.
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
                + ttrMs + ", target=" + target.keySet() + ", firstDueMs=" + firstDueMs + "]";
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
