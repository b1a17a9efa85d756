package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.HeaderRules;
import io.mykit.delay.channel.hosts.HeaderText;
import io.mykit.delay.channel.hosts.OwnHeaders;
import io.mykit.delay.channel.hosts.UserAgent;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Makes the headers of a request. Immutable. */
final class RequestHead {
    private static final String CONTENT_TYPE = "content-type";

    private final TopicValues<Signature> signatures;
    private final Optional<String> contentType;

    /**
     * @param signatures of the topics whose requests are signed
     * @param contentType the content type of messages that name none; empty = by the body
     */
    RequestHead(TopicValues<Signature> signatures, Optional<String> contentType) {
        this.signatures = signatures;
        this.contentType = contentType;
    }

    /**
     * @param body the bytes of the request; empty for a method without a body
     * @param now the time of this attempt
     */
    Map<String, String> of(Outgoing outgoing, byte[] body, Instant now) {
        DelayMessage message = outgoing.message();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("user-agent", UserAgent.TEXT);
        headers.put(CONTENT_TYPE, contentType.orElseGet(() -> typeOf(message)));
        message.extras()
                .headers()
                .forEach((name, value) -> headers.put(HeaderRules.sent(name), HeaderText.ascii(value)));
        String id = HeaderText.id(message.id());
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(now.getEpochSecond()));
        headers.remove("webhook-signature");
        signatures
                .find(message.topic())
                .flatMap(signature -> signature.sign(id, now.getEpochSecond(), body))
                .ifPresent(signed -> headers.put("webhook-signature", signed));
        OwnHeaders.put(headers, outgoing);
        return headers;
    }

    private static String typeOf(DelayMessage message) {
        if (message.extras().binary()) {
            return "application/octet-stream";
        }
        boolean json = message.body().startsWith("{") || message.body().startsWith("[");
        return json ? "application/json" : "text/plain; charset=utf-8";
    }
}
