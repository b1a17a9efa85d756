package io.mykit.delay.controller;

import static io.mykit.delay.controller.FieldRules.invalid;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * A request that was let in, with its body.
 *
 * @param pathId the id in the path, decoded, or null if the route has none
 * @param query raw, or null
 * @param contentType or null
 * @param loop runs on the request's own event loop
 */
record Call(String pathId, String query, String contentType, Buffer body, Executor loop) {
    private static final List<String> ID_NAMES = List.of("jobId", "JobId", "id");
    private static final int MAX_PARAMETERS = 32;

    /** The id in the path, or else under one of its names in the query or the form. */
    String messageId() {
        if (pathId != null) {
            return FieldRules.id("id", pathId);
        }
        Set<String> ids = new LinkedHashSet<>();
        ID_NAMES.forEach(name -> ids.addAll(values(name)));
        return FieldRules.id("jobId", only("jobId", ids));
    }

    /** A query parameter or form field that is {@code true} or {@code false}. */
    boolean flag(String name, boolean otherwise) {
        String value = only(name, new LinkedHashSet<>(values(name)));
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw invalid(name + " must be true or false");
        };
    }

    /**
     * The body of a request that carries JSON. Its media type does not matter, since clients vary; another charset than
     * UTF-8 does, unless it makes no difference.
     */
    byte[] json() {
        byte[] bytes = body.getBytes();
        if (contentType != null && declaresOtherCharset(contentType.toLowerCase(Locale.ROOT)) && !isAscii(bytes)) {
            throw invalid("the body must be UTF-8");
        }
        return bytes;
    }

    private static String only(String name, Set<String> values) {
        if (values.size() > 1) {
            throw invalid(name + " is given twice, with different values");
        }
        return values.isEmpty() ? null : values.iterator().next();
    }

    private List<String> values(String name) {
        List<String> values = new ArrayList<>();
        if (query != null) {
            values.addAll(decode(query, name));
        }
        if (body.length() > 0 && isForm()) {
            values.addAll(decode(Utf8.decode(body.getBytes()).toString(), name));
        }
        return values;
    }

    private static List<String> decode(String pairs, String name) {
        try {
            return new QueryStringDecoder(pairs, UTF_8, false, MAX_PARAMETERS, true)
                    .parameters()
                    .getOrDefault(name, List.of());
        } catch (IllegalArgumentException badEscape) {
            throw invalid("malformed percent-encoding");
        }
    }

    private boolean isForm() {
        return contentType != null
                && contentType.toLowerCase(Locale.ROOT).startsWith("application/x-www-form-urlencoded");
    }

    private static boolean declaresOtherCharset(String type) {
        int at = type.indexOf("charset=");
        return at >= 0 && !type.startsWith("utf-8", at + 8) && !type.startsWith("\"utf-8", at + 8);
    }

    private static boolean isAscii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }
}
