package io.mykit.delay.common.trace;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The context of one span, as the headers {@code traceparent} and {@code tracestate} carry it (W3C Trace Context). Immutable.
 *
 * @param traceId 32 hexadecimal digits in lower case, not all zero
 * @param spanId 16 hexadecimal digits in lower case, not all zero
 * @param flags the eight flags, from 0 to 255; the lowest bit means "sampled"
 * @param state the header {@code tracestate}; empty = none
 */
public record TraceContext(String traceId, String spanId, int flags, String state) {
    /** The header with trace, span and flags. */
    public static final String PARENT = "traceparent";

    /** The header with the values of tracing systems. */
    public static final String STATE = "tracestate";

    /** The limit of {@link #STATE} in characters. A longer one is left out. */
    public static final int MAX_STATE = 512;

    private static final String VERSION = "00";
    private static final String NO_VERSION = "ff";
    private static final int SAMPLED = 1;
    private static final int TRACE_AT = 3;
    private static final int SPAN_AT = 36;
    private static final int FLAGS_AT = 53;
    private static final int LENGTH = 55;

    public TraceContext {
        requireNonNull(traceId, "traceId");
        requireNonNull(spanId, "spanId");
        requireNonNull(state, "state");
    }

    /**
     * Reads the two headers. A higher version is read by the layout of version 00.
     *
     * @param parent the value of {@link #PARENT}; null = not given
     * @param state the value of {@link #STATE}; null = not given. A malformed one is left out
     * @return empty if {@code parent} is missing or malformed
     */
    public static Optional<TraceContext> read(String parent, String state) {
        if (parent == null) {
            return Optional.empty();
        }
        String text = parent.strip();
        if (!hasLayout(text)) {
            return Optional.empty();
        }
        String traceId = text.substring(TRACE_AT, SPAN_AT - 1);
        String spanId = text.substring(SPAN_AT, FLAGS_AT - 1);
        if (isZero(traceId) || isZero(spanId)) {
            return Optional.empty();
        }
        int flags = Integer.parseInt(text.substring(FLAGS_AT, LENGTH), 16);
        return Optional.of(new TraceContext(traceId, spanId, flags, wellFormed(state)));
    }

    /** Reads the headers of a message. The case of their names does not matter. */
    public static Optional<TraceContext> of(Map<String, String> headers) {
        return headers.isEmpty() ? Optional.empty() : read(value(headers, PARENT), value(headers, STATE));
    }

    /** Whether {@code header} belongs to the context and not to the content of a message. */
    public static boolean isHeader(String header) {
        return header.equalsIgnoreCase(PARENT) || header.equalsIgnoreCase(STATE);
    }

    /** Whether the headers of a message have {@link #PARENT}, well-formed or not. */
    public static boolean isIn(Map<String, String> headers) {
        return value(headers, PARENT) != null;
    }

    /** Whether the spans of the trace are recorded. */
    public boolean isSampled() {
        return (flags & SAMPLED) != 0;
    }

    /** The value of {@link #PARENT}. */
    public String parent() {
        return VERSION + "-" + traceId + "-" + spanId + "-" + (flags < 16 ? "0" : "") + Integer.toHexString(flags);
    }

    /** The given headers with those of this context in place of their own. */
    public Map<String, String> in(Map<String, String> headers) {
        Map<String, String> carried = new LinkedHashMap<>(headers);
        carried.keySet().removeIf(TraceContext::isHeader);
        carried.put(PARENT, parent());
        if (!state.isEmpty()) {
            carried.put(STATE, state);
        }
        return carried;
    }

    /** The value of a header whose name may be written in any case; null = none. */
    private static String value(Map<String, String> headers, String name) {
        String exact = headers.get(name);
        if (exact != null || headers.isEmpty()) {
            return exact;
        }
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    private static boolean hasLayout(String text) {
        if (text.length() < LENGTH || text.startsWith(NO_VERSION)) {
            return false;
        }
        if (text.length() > LENGTH && (text.startsWith(VERSION) || text.charAt(LENGTH) != '-')) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            boolean dash = i == TRACE_AT - 1 || i == SPAN_AT - 1 || i == FLAGS_AT - 1;
            if (dash ? text.charAt(i) != '-' : !isHex(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static boolean isZero(String id) {
        return id.chars().allMatch(c -> c == '0');
    }

    /** The state, or an empty text if it is missing, too long, or not printable ASCII. */
    private static String wellFormed(String state) {
        if (state == null || state.length() > MAX_STATE) {
            return "";
        }
        boolean printable = state.chars().allMatch(c -> c >= ' ' && c <= '~');
        return printable ? state.strip() : "";
    }
}
