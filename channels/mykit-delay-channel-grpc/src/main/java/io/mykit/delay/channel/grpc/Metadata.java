package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HeaderRules;
import io.mykit.delay.channel.hosts.HeaderText;
import io.mykit.delay.channel.hosts.OwnHeaders;
import io.mykit.delay.channel.hosts.UserAgent;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the metadata of a call. Stateless. */
final class Metadata {
    private static final String BINARY = "-bin";
    private static final String CONTENT_TYPE = "content-type";
    private static final String USER_AGENT = "user-agent";
    /** The protocol has them already. */
    private static final List<String> TAKEN = List.of(CONTENT_TYPE, USER_AGENT);

    private Metadata() {}

    /**
     * @throws IllegalArgumentException if a header of a message cannot be metadata; the message names it
     */
    static void check(Map<String, String> headers) {
        headers.forEach((name, value) -> {
            String sent = HeaderRules.sent(name);
            if (TAKEN.contains(sent)) {
                throw new IllegalArgumentException("headers." + name + " is reserved on gRPC");
            }
            if (sent.endsWith(BINARY) && !isBase64(value)) {
                throw new IllegalArgumentException(
                        "headers." + name + " must be Base64, because its name ends with " + BINARY);
            }
        });
    }

    static Map<String, String> of(Outgoing outgoing, Format format) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("te", "trailers");
        metadata.put(CONTENT_TYPE, format.contentType());
        metadata.put(USER_AGENT, UserAgent.TEXT);
        outgoing.message()
                .extras()
                .headers()
                .forEach((name, value) -> metadata.put(HeaderRules.sent(name), HeaderText.ascii(value)));
        OwnHeaders.put(metadata, outgoing);
        return metadata;
    }

    private static boolean isBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
