package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.HostKeys;
import io.mykit.delay.channel.hosts.HostSettings;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The section {@code mykit.delay.grpc.*}. Immutable. */
final class GrpcSettings {
    static final String CHANNEL = "grpc";

    private static final ChannelKey<String> HOST = ChannelKey.text(
                    "host",
                    "The host that gets the messages that name no target: 10.0.0.7:9090, grpcs://orders.internal:443 with"
                            + " TLS, or service://name for the instances of a service.")
            .perTopic();
    private static final ChannelKey<String> SERVICE = ChannelKey.text(
                    "service", "The full name of the service that such messages call: shop.Orders.")
            .perTopic();
    private static final ChannelKey<String> METHOD = ChannelKey.text(
                    "method", "The unary method that such messages call: Cancel.")
            .perTopic();
    private static final ChannelKey<Format> FORMAT = ChannelKey.word(
                    Format.class,
                    "format",
                    "The codec of bodies whose message names none: protobuf (application/grpc) or json"
                            + " (application/grpc+json). A body goes as it is.")
            .withDefault("protobuf")
            .perTopic();
    private static final HostKeys HOSTS = new HostKeys(CHANNEL, Schemes.GRPC, "hosts");

    private final ChannelSettings settings;
    private final HostSettings hosts;

    GrpcSettings(ChannelSettings settings) {
        this.settings = settings;
        this.hosts = new HostSettings(HOSTS, settings);
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(HOST, SERVICE, METHOD, FORMAT, HOSTS.targets()));
        keys.addAll(HOSTS.timeouts());
        keys.addAll(HOSTS.bounds());
        keys.addAll(HOSTS.registries());
        keys.addAll(HOSTS.certificates());
        return keys;
    }

    void check(ChannelProblems problems) {
        hosts.checkEach(problems, HOST, CallNames::host);
        hosts.checkEach(problems, SERVICE, CallNames::service);
        hosts.checkEach(problems, METHOD, CallNames::method);
        List<ChannelKey<String>> parts = List.of(HOST, SERVICE, METHOD);
        Set<String> topics = new TreeSet<>();
        parts.forEach(part -> topics.addAll(settings.byTopic(part).own().keySet()));
        topics.forEach(topic -> parts.stream()
                .filter(part -> settings.byTopic(part).find(topic).isEmpty())
                .forEach(part -> problems.add(part, topic, "is needed: a call has a host, a service and a method")));
        boolean sectionCalls =
                parts.stream().allMatch(part -> settings.find(part).isPresent());
        if (settings.inUse()
                && topics.isEmpty()
                && !sectionCalls
                && settings.find(HOSTS.targets()).isEmpty()) {
            problems.add(
                    HOST,
                    "is needed with service and method because a topic goes to grpc; or those of grpc.topics.<topic>, or "
                            + settings.name(HOSTS.targets()));
        }
        hosts.check(problems, HOST, CallNames::host);
    }

    HostSettings hosts() {
        return hosts;
    }

    TopicValues<Destination> destinations() {
        return settings.byTopic(HOST).map(CallNames::host);
    }

    GrpcRequests requests() {
        return new GrpcRequests(
                destinations(),
                settings.byTopic(SERVICE).map(CallNames::service),
                settings.byTopic(METHOD).map(CallNames::method),
                settings.byTopic(FORMAT));
    }
}
