package io.mykit.delay.spring.callback;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.spring.DelayedMessage;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.util.StringUtils;

/** A message in a verified request. */
final class CallbackMessage implements DelayedMessage {
    private static final String FIELD = "mykit-delay-";

    private final Map<String, String> headers;
    private final byte[] body;

    private CallbackMessage(Map<String, String> headers, byte[] body) {
        this.headers = headers;
        this.body = body;
    }

    static CallbackMessage read(HttpServletRequest request, byte[] body) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Collections.list(request.getHeaderNames()).forEach(name -> headers.put(name, request.getHeader(name)));
        return new CallbackMessage(headers, body);
    }

    @Override
    public String id() {
        return field("id");
    }

    @Override
    public String topic() {
        return field("topic");
    }

    @Override
    public String subtopic() {
        return field("subtopic");
    }

    @Override
    public String bizKey() {
        return field("biz-key");
    }

    @Override
    public String text() {
        return new String(body, UTF_8);
    }

    @Override
    public byte[] bytes() {
        return body.clone();
    }

    @Override
    public Map<String, String> headers() {
        return Collections.unmodifiableMap(headers);
    }

    @Override
    public Instant dueTime() {
        return Instant.ofEpochMilli(Long.parseLong(field("due-time")));
    }

    @Override
    public int attempt() {
        return Integer.parseInt(field("attempt"));
    }

    @Override
    public int maxAttempts() {
        String given = field("max-attempts");
        return given.isEmpty() ? 0 : Integer.parseInt(given);
    }

    @Override
    public boolean isLeaseLost() {
        return false;
    }

    private String field(String name) {
        return StringUtils.uriDecode(headers.getOrDefault(FIELD + name, ""), UTF_8);
    }
}
