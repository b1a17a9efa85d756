package io.mykit.delay.controller.push;

import static io.mykit.delay.controller.text.FieldRules.invalid;

import io.mykit.delay.controller.json.JsonFields;
import io.mykit.delay.controller.json.JsonReader;
import io.mykit.delay.controller.text.FieldRules;
import io.mykit.delay.controller.text.Misspelling;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the headers of a pushed message. Their names are kept in lower case. Stateless. */
final class PushHeaders {
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final int MAX_ENTRIES = 32;
    private static final int MAX_VALUE = 1024;
    private static final int MAX_BYTES = 8192;

    /** The headers that a channel or a protocol writes itself. */
    private static final Set<String> RESERVED = Set.of(
            "host",
            "content-length",
            "connection",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "keep-alive");

    private static final List<String> RESERVED_PREFIXES =
            List.of("mykit-delay-", "webhook-", "ce-", "ce_", "grpc-", "proxy-");

    private PushHeaders() {}

    static Map<String, String> read(JsonReader json, String field) {
        JsonFields.object(json, field);
        Map<String, String> headers = new TreeMap<>();
        int bytes = 0;
        for (String given = json.nextField(); given != null; given = json.nextField()) {
            String name = name(field, given);
            String value = FieldRules.plain(field + "." + name, JsonFields.string(json, field + "." + name), MAX_VALUE);
            bytes += name.length() + ByteBufUtil.utf8Bytes(value);
            if (headers.put(name, value) != null) {
                throw invalid(field + "." + name + " is given twice");
            }
            if (headers.size() > MAX_ENTRIES) {
                throw invalid(field + " has more than " + MAX_ENTRIES + " entries");
            }
            if (bytes > MAX_BYTES) {
                throw invalid(field + " is longer than " + MAX_BYTES + " bytes");
            }
        }
        return headers;
    }

    private static String name(String field, String given) {
        if (!NAME.matcher(given).matches()) {
            throw invalid(field + " has the name " + Misspelling.shorten(given)
                    + "; a name has 1 to 64 letters, digits, hyphens, underscores and dots");
        }
        String name = given.toLowerCase(Locale.ROOT);
        if (RESERVED.contains(name) || RESERVED_PREFIXES.stream().anyMatch(name::startsWith)) {
            throw invalid(field + "." + name + " is reserved");
        }
        return name;
    }
}
