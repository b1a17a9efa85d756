package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.channel.hosts.Requests;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the request that a message asks for: its {@code target}, or the URL of its topic. Immutable. */
final class WebhookRequests implements Requests {
    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE", "GET");
    private static final String URL = "url";
    private static final String METHOD = "method";

    private final TopicValues<Request> shared;
    private final String method;

    /**
     * @param urls of messages without a target; a topic without a URL needs a target in each message
     * @param method of messages that name none
     */
    WebhookRequests(TopicValues<Destination> urls, String method) {
        this.shared = urls.map(destination -> new Request(destination, method, false));
        this.method = method;
    }

    @Override
    public Optional<Request> of(DelayMessage message) {
        Map<String, String> target = message.extras().target();
        if (target.isEmpty()) {
            return ofTopic(message.topic());
        }
        target.keySet().stream()
                .filter(key -> !key.equals(URL) && !key.equals(METHOD))
                .findFirst()
                .ifPresent(key -> {
                    throw new IllegalArgumentException("target." + key + " is unknown: a target has url and method");
                });
        if (!target.containsKey(URL)) {
            throw new IllegalArgumentException("target.url is missing");
        }
        return Optional.of(new Request(destination(target.get(URL)), method(target.get(METHOD)), true));
    }

    @Override
    public Optional<Request> ofTopic(String topic) {
        return shared.find(topic);
    }

    @Override
    public String missing(String topic) {
        return "target is missing, and neither webhook.url nor webhook.topics." + topic + ".url is configured";
    }

    @Override
    public String field() {
        return "target.url";
    }

    private static Destination destination(String url) {
        try {
            return Destination.of(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("target.url " + e.getMessage(), e);
        }
    }

    private String method(String given) {
        String named = given == null ? method : given.toUpperCase(Locale.ROOT);
        if (!METHODS.contains(named)) {
            throw new IllegalArgumentException("target.method must be one of " + String.join(", ", METHODS));
        }
        return named;
    }
}
