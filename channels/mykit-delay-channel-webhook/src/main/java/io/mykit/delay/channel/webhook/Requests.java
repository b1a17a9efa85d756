package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Targets;
import io.mykit.delay.channel.hosts.service.Services;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Finds the request that a message asks for: its {@code target}, or the URL of its topic. Immutable. */
final class Requests {
    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE", "GET");
    private static final String URL = "url";
    private static final String METHOD = "method";

    private final TopicValues<Request> shared;
    private final String method;
    private final Targets targets;
    private final Services services;

    /**
     * @param urls of messages without a target; a topic without a URL needs a target in each message
     * @param method of messages that name none
     */
    Requests(TopicValues<Destination> urls, String method, Targets targets, Services services) {
        this.shared = urls.map(destination -> new Request(destination, method, false, ""));
        this.method = method;
        this.targets = targets;
        this.services = services;
    }

    /**
     * The request of a message; empty if neither the message nor its topic has a URL.
     *
     * @throws IllegalArgumentException if the target has a fault that no setting can mend; the message names the field
     */
    Optional<Request> of(DelayMessage message) {
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
        return Optional.of(new Request(destination(target.get(URL)), method(target.get(METHOD)), true, ""));
    }

    /** The request of messages without a target; empty if their topic has no URL. */
    Optional<Request> ofTopic(String topic) {
        return shared.find(topic);
    }

    /** The reason why a message without a target cannot be sent. */
    static String missing(String topic) {
        return "target is missing, and neither webhook.url nor webhook.topics." + topic + ".url is configured";
    }

    /** The reason why the settings forbid a request; empty if they allow it, as far as its URL tells. */
    Optional<String> forbidden(Request request) {
        if (!request.own()) {
            return Optional.empty();
        }
        Destination destination = request.destination();
        if (targets.mayAllow(destination)) {
            return destination.isService() && !services.mayKnow(destination.host())
                    ? Optional.of("target.url is not allowed: the service " + destination.host()
                            + " is unknown; an operator can add it to webhook.services, or set webhook.discovery")
                    : Optional.empty();
        }
        String reason = targets.isEmpty() ? "webhook.targets is empty" : "no pattern of webhook.targets allows it";
        return Optional.of("target.url is not allowed: " + reason + "; an operator can add a pattern for "
                + destination.receiver());
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
