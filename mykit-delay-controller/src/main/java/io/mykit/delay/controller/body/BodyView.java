package io.mykit.delay.controller.body;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.json.JsonMask;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The content of messages as one caller sees it. A text may be hidden as a whole, or have masked values. Immutable.
 *
 * @param hidden whether no body is shown
 * @param names the names whose values are masked; empty = nothing is masked
 * @param operator whether the caller sees bodies that cannot be masked, because they are no JSON
 */
public record BodyView(boolean hidden, Optional<MaskedNames> names, boolean operator) {
    private static final String HIDDEN_BY_BODIES = "console.bodies";
    private static final String MASKED = "console.mask";

    /**
     * The fields of a message with its content as this caller sees it.
     *
     * @param job as {@code JobJson} makes it
     * @param limit the maximum of bytes of the body; empty = the whole body, and no facts about it
     */
    public Map<String, Object> job(Map<String, Object> job, OptionalInt limit) {
        Map<String, Object> seen = new LinkedHashMap<>();
        job.forEach((field, value) -> {
            switch (field) {
                case "body", "bodyBase64" -> body((String) value, field.equals("bodyBase64"), limit, seen);
                case "result" -> text((String) value, false).ifPresent(text -> seen.put(field, text));
                case "resultBase64" -> text((String) value, true).ifPresent(text -> seen.put(field, text));
                case "headers", "target" -> seen.put(field, map(value));
                case "lastError" -> seen.put(field, plain((String) value));
                case "flow" -> seen.put(field, flow((List<?>) value));
                default -> seen.put(field, value);
            }
        });
        return seen;
    }

    /** Puts the body into these fields, or the reason why it is missing. */
    public void body(String stored, boolean binary, OptionalInt limit, Map<String, Object> into) {
        Optional<String> text = text(stored, binary);
        if (limit.isPresent()) {
            into.put("bodyBytes", Cut.bytes(stored, binary).length);
            into.put("bodyKind", kind(stored, binary));
        }
        if (text.isEmpty()) {
            into.put("bodyHidden", hidden ? HIDDEN_BY_BODIES : MASKED);
            return;
        }
        if (!text.get().equals(stored)) {
            into.put("bodyMasked", MASKED);
        }
        Cut cut = limit.isPresent() ? Cut.of(text.get(), binary, limit.getAsInt()) : new Cut(text.get(), false);
        if (limit.isPresent()) {
            into.put("bodyTruncated", cut.truncated());
        }
        into.put(binary ? "bodyBase64" : "body", cut.text());
    }

    /** The bytes of a body as this caller sees them; empty = it sees none. */
    public Optional<byte[]> bytes(String stored, boolean binary) {
        return text(stored, binary).map(text -> Cut.bytes(text, binary));
    }

    private static String kind(String stored, boolean binary) {
        return binary ? "bytes" : JsonMask.isJson(stored) ? "json" : "text";
    }

    private Optional<String> text(String stored, boolean binary) {
        if (hidden) {
            return Optional.empty();
        }
        if (names.isEmpty()) {
            return Optional.of(stored);
        }
        Optional<String> json = binary ? Optional.empty() : JsonMask.of(stored, names.get()::hides);
        return json.map(names.get()::addresses).or(() -> operator ? Optional.of(stored) : Optional.empty());
    }

    private Object map(Object texts) {
        return names.isPresent() && texts instanceof Map<?, ?> map ? names.get().map(map) : texts;
    }

    private String plain(String text) {
        return names.map(masked -> masked.addresses(text)).orElse(text);
    }

    private List<?> flow(List<?> moves) {
        if (names.isEmpty()) {
            return moves;
        }
        return moves.stream()
                .map(move -> {
                    Map<String, Object> seen = new LinkedHashMap<>();
                    ((Map<?, ?>) move)
                            .forEach((field, value) ->
                                    seen.put((String) field, field.equals("detail") ? plain((String) value) : value));
                    return seen;
                })
                .toList();
    }

    /** The begin of a body. */
    private record Cut(String text, boolean truncated) {
        static Cut of(String whole, boolean binary, int limit) {
            byte[] bytes = bytes(whole, binary);
            if (bytes.length <= limit) {
                return new Cut(whole, false);
            }
            if (binary) {
                byte[] begin = Arrays.copyOf(bytes, limit);
                return new Cut(Base64.getEncoder().encodeToString(begin), true);
            }
            int end = limit;
            // A character of several bytes is left out as a whole.
            while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
                end--;
            }
            return new Cut(new String(bytes, 0, end, UTF_8), true);
        }

        static byte[] bytes(String text, boolean binary) {
            return binary ? Base64.getDecoder().decode(text) : text.getBytes(UTF_8);
        }
    }
}
