package io.mykit.delay.channel.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.trace.TraceContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The headers of a message that a request can carry. HTTP compares names without their case, and HTTP/2 has lower case alone. Stateless. */
public final class HeaderRules {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+");

    /** Most servers take a head of 8 KiB or more. */
    private static final int MAX_BYTES = 8192;

    /** The headers that a request has itself. */
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

    private static final List<String> RESERVED_PREFIXES = List.of("webhook-", "ce-", "ce_", "grpc-", "proxy-");

    private static final String OWN = "mykit-delay-";

    private HeaderRules() {}

    /** The name of a header as it is sent. */
    public static String sent(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * @throws IllegalArgumentException if a request cannot carry one of the headers of a message; the message names it
     */
    static void check(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return;
        }
        Map<String, String> taken = new HashMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            String sent = sent(name);
            if (!NAME.matcher(name).matches()) {
                throw refused(name, " is no name of an HTTP header: letters, digits, hyphens, underscores and dots");
            }
            if (RESERVED.contains(sent) || RESERVED_PREFIXES.stream().anyMatch(sent::startsWith)) {
                throw refused(name, " is reserved on HTTP");
            }
            String other = taken.put(sent, name);
            if (other != null) {
                throw refused(
                        other, " and headers." + name + " exclude each other: HTTP compares names without their case");
            }
            bytes += isOwn(sent) ? 0 : name.length() + header.getValue().getBytes(UTF_8).length;
        }
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "headers is longer than " + MAX_BYTES + " bytes, which is the limit on HTTP");
        }
    }

    /** Whether the server may have added the header: what it adds must not make a message too large. */
    private static boolean isOwn(String sent) {
        return sent.startsWith(OWN) || TraceContext.isHeader(sent);
    }

    private static IllegalArgumentException refused(String name, String why) {
        return new IllegalArgumentException("headers." + name + why);
    }
}
