package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.Request;
import io.mykit.delay.channel.hosts.Requests;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds the call that a message asks for: that of its {@code target}, or that of its topic. Immutable. */
final class GrpcRequests implements Requests {
    private static final String TARGET = "target.";
    private static final String HOST = "host";
    private static final String SERVICE = "service";
    private static final String METHOD = "method";
    private static final String FORMAT = "format";
    private static final List<String> FIELDS = List.of(HOST, SERVICE, METHOD, FORMAT);

    private final TopicValues<Destination> hosts;
    private final TopicValues<String> services;
    private final TopicValues<String> methods;
    private final TopicValues<Format> formats;

    /** A topic whose host, service or method is not configured needs a target in each message. */
    GrpcRequests(
            TopicValues<Destination> hosts,
            TopicValues<String> services,
            TopicValues<String> methods,
            TopicValues<Format> formats) {
        this.hosts = hosts;
        this.services = services;
        this.methods = methods;
        this.formats = formats;
    }

    @Override
    public Optional<Request> of(DelayMessage message) {
        Metadata.check(message.extras().headers());
        Map<String, String> target = message.extras().target();
        if (target.isEmpty()) {
            return ofTopic(message.topic());
        }
        target.keySet().stream()
                .filter(field -> !FIELDS.contains(field))
                .findFirst()
                .ifPresent(field -> {
                    throw new IllegalArgumentException(
                            TARGET + field + " is unknown: the target of a call has host, service, method and format");
                });
        Destination host = read(target, HOST, CallNames::host);
        String path =
                CallNames.path(read(target, SERVICE, CallNames::service), read(target, METHOD, CallNames::method));
        Format format = target.containsKey(FORMAT) ? read(target, FORMAT, Format::of) : format(message.topic());
        return Optional.of(new Request(host.withPath(path), format.name(), true));
    }

    @Override
    public Optional<Request> ofTopic(String topic) {
        Optional<String> service = services.find(topic);
        Optional<String> method = methods.find(topic);
        if (service.isEmpty() || method.isEmpty()) {
            return Optional.empty();
        }
        String path = CallNames.path(service.get(), method.get());
        return hosts.find(topic)
                .map(host -> new Request(host.withPath(path), format(topic).name(), false));
    }

    @Override
    public String missing(String topic) {
        return "target is missing, and host, service and method of the topic are not configured (grpc.topics." + topic
                + ".host, or grpc.host, and so on)";
    }

    @Override
    public String field() {
        return TARGET + HOST;
    }

    private Format format(String topic) {
        return formats.find(topic).orElse(Format.PROTOBUF);
    }

    private static <T> T read(Map<String, String> target, String field, Function<String, T> form) {
        String text = target.get(field);
        if (text == null) {
            throw new IllegalArgumentException(TARGET + field + " is missing");
        }
        try {
            return form.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(TARGET + field + " " + e.getMessage(), e);
        }
    }
}
