package io.mykit.delay.lmstfy.job;

import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.ports.call.Json;
import io.mykit.delay.ports.call.Request;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The attributes of a job. They come as headers of the publish and are headers of the message, behind a prefix: {@code host} is a legal
 * attribute, and no channel takes a header of that name. Stateless.
 */
public final class Attributes {
    private static final String SWITCH = "Enable-Job-Version";
    private static final String PREFIX = "job-attr-";
    private static final int MOST = 16;
    private static final int MAX_NAME = 32;
    private static final int MAX_VALUE = 128;

    private Attributes() {}

    /**
     * The attributes of a publish, by name.
     *
     * @throws Refusal 400
     */
    public static Map<String, String> of(Request request) {
        Map<String, String> attributes = new TreeMap<>();
        if (!request.header(SWITCH).equalsIgnoreCase("YES")) {
            return attributes;
        }
        for (Map.Entry<String, String> header : request.headers()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            if (name.startsWith(PREFIX)
                    && name.length() > PREFIX.length()
                    && !header.getValue().isEmpty()) {
                attributes.putIfAbsent(
                        cut(name.substring(PREFIX.length()), MAX_NAME), cut(header.getValue(), MAX_VALUE));
            }
        }
        if (attributes.size() > MOST) {
            throw Refusal.bad("too many attributes, cannot exceed " + MOST);
        }
        return attributes;
    }

    /** The header of a message with this attribute. */
    public static String header(String attribute) {
        StringBuilder name = new StringBuilder(PREFIX);
        for (byte each : attribute.getBytes(StandardCharsets.UTF_8)) {
            char at = (char) (each & 0xff);
            boolean plain = (at >= 'a' && at <= 'z') || (at >= '0' && at <= '9') || at == '_' || at == '-' || at == '.';
            name.append(plain ? String.valueOf(at) : String.format(Locale.ROOT, "%%%02x", (int) at));
        }
        return name.toString();
    }

    /** The attributes in the headers of a message, as JSON. */
    static String json(Map<String, String> headers) {
        Map<String, String> attributes = new TreeMap<>();
        headers.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                attributes.put(decoded(name.substring(PREFIX.length())), value);
            }
        });
        return attributes.isEmpty() ? "null" : Json.map(attributes);
    }

    private static String decoded(String name) {
        byte[] bytes = new byte[name.length()];
        int length = 0;
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '%' && i + 2 < name.length()) {
                bytes[length++] = (byte) Integer.parseInt(name.substring(i + 1, i + 3), 16);
                i += 2;
            } else {
                bytes[length++] = (byte) name.charAt(i);
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Cut to a number of bytes, and before a character that does not fit. */
    private static String cut(String text, int maxBytes) {
        int bytes = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > maxBytes) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }
}
