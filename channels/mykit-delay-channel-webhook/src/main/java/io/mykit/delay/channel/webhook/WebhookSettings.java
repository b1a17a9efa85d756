package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.Circuit;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Targets;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.channel.tls.TlsKeys;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The section {@code mykit.delay.webhook.*}. Immutable. */
final class WebhookSettings {
    static final String CHANNEL = "webhook";

    private static final ChannelKey<String> URL = ChannelKey.text(
                    "url",
                    "The URL that gets the messages that name no target. service://name/path goes to the instances of a"
                            + " service.")
            .perTopic();
    private static final ChannelKey<Secret> SECRET = ChannelKey.secret(
                    "secret",
                    "Signs each request: whsec_ and the Base64 of 24 to 64 bytes. Several with blanks between all sign, to"
                            + " change a secret without a gap.")
            .perTopic();
    private static final ChannelKey<String> TARGETS = ChannelKey.text(
            "targets",
            "The URLs that a message may name in its target, with commas between: https://*.example.com,"
                    + " http://10.0.0.0/8, service://shop, service://* = any service, or * = any public address. Empty ="
                    + " none.");
    private static final ChannelKey<Method> METHOD = ChannelKey.word(
                    Method.class, "method", "The method of messages that name none: post, put, patch, delete or get.")
            .withDefault("post");
    private static final ChannelKey<Duration> TIMEOUT = ChannelKey.duration(
                    "timeout",
                    "The timeout of a whole exchange, from the lookup of the host to the answer; at most 10m.")
            .withDefault("15s");
    private static final ChannelKey<Duration> CONNECT_TIMEOUT = ChannelKey.duration(
                    "connect-timeout", "The timeout of each of: the lookup of the host, the connection, TLS.")
            .withDefault("3s");
    private static final ChannelKey<String> SUCCESS = ChannelKey.text(
                    "success", "The statuses that mean delivered. A redirect is not followed.")
            .withDefault("200-299");
    private static final ChannelKey<String> DEAD_ON = ChannelKey.text(
                    "dead-on", "The statuses that make a message a dead letter at once.")
            .withDefault("410");
    private static final ChannelKey<Integer> PER_HOST = ChannelKey.number(
                    "per-host", "The maximum of requests to one host at the same time. Up to 1000 more wait.")
            .withDefault("32");
    private static final ChannelKey<Integer> MAX_IN_FLIGHT = ChannelKey.number(
                    "max-in-flight", "The maximum of requests at the same time, to all hosts together.")
            .withDefault("1000");
    private static final ChannelKey<Integer> CIRCUIT_FAILURES = ChannelKey.number(
                    "circuit-failures",
                    "The number of failures in a row after which the host of a target gets no requests for a while; 0 ="
                            + " never.")
            .withDefault("10");
    private static final ChannelKey<Duration> CIRCUIT_PAUSE = ChannelKey.duration(
                    "circuit-pause",
                    "How long such a host gets no requests. The pause doubles, up to 10m, as long as the host fails.")
            .withDefault("30s");
    private static final ChannelKey<String> CONTENT_TYPE = ChannelKey.text(
            "content-type",
            "The content type of messages that have no such header. Empty = application/octet-stream for bytes,"
                    + " application/json for a text that begins with { or [, else text/plain.");
    private static final ChannelKey<Boolean> KEEP_RESULT = ChannelKey.truth(
                    "keep-result",
                    "Keeps the body of an answer that means delivered as the result of the message. A body of more than"
                            + " 64 KiB is not kept.")
            .withDefault("false")
            .perTopic();
    private static final TlsKeys TLS = new TlsKeys("For https.");

    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
    private static final int MAX_REQUESTS = 100_000;

    private final ChannelSettings settings;

    WebhookSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(
                URL,
                SECRET,
                TARGETS,
                METHOD,
                TIMEOUT,
                CONNECT_TIMEOUT,
                SUCCESS,
                DEAD_ON,
                PER_HOST,
                MAX_IN_FLIGHT,
                CIRCUIT_FAILURES,
                CIRCUIT_PAUSE,
                CONTENT_TYPE,
                KEEP_RESULT));
        keys.addAll(ServiceSettings.keys());
        keys.addAll(TLS.all());
        return keys;
    }

    void check(ChannelProblems problems) {
        eachReadable(problems, URL, Destination::of);
        eachReadable(problems, SECRET, secret -> Signature.of(secret.reveal()));
        readable(problems, TARGETS, this::targets);
        readable(problems, SUCCESS, this::success);
        readable(problems, DEAD_ON, this::deadOn);
        between(problems, TIMEOUT, MAX_TIMEOUT);
        between(problems, CONNECT_TIMEOUT, MAX_TIMEOUT);
        between(problems, CIRCUIT_PAUSE, MAX_TIMEOUT);
        between(problems, PER_HOST, 1);
        between(problems, MAX_IN_FLIGHT, 1);
        between(problems, CIRCUIT_FAILURES, 0);
        if (settings.inUse()
                && settings.find(URL).isEmpty()
                && settings.byTopic(URL).own().isEmpty()
                && settings.find(TARGETS).isEmpty()) {
            problems.add(
                    URL,
                    "is needed because a topic goes to webhook; or webhook.topics.<topic>.url, or "
                            + settings.name(TARGETS));
        }
        new ServiceSettings(settings).check(problems, URL);
        TLS.check(settings, problems, true, "https");
    }

    TopicValues<Destination> urls() {
        return settings.byTopic(URL).map(Destination::of);
    }

    TopicValues<Signature> signatures() {
        return settings.byTopic(SECRET).map(secret -> Signature.of(secret.reveal()));
    }

    Targets targets() {
        return Targets.of(settings.find(TARGETS).orElse(""));
    }

    String method() {
        return settings.get(METHOD).name();
    }

    Duration timeout() {
        return settings.get(TIMEOUT);
    }

    Duration connectTimeout() {
        return settings.get(CONNECT_TIMEOUT);
    }

    Statuses success() {
        return Statuses.of(settings.get(SUCCESS));
    }

    Statuses deadOn() {
        return Statuses.of(settings.get(DEAD_ON));
    }

    int perHost() {
        return settings.get(PER_HOST);
    }

    int maxInFlight() {
        return settings.get(MAX_IN_FLIGHT);
    }

    Circuit newCircuit() {
        return new Circuit(settings.get(CIRCUIT_FAILURES), settings.get(CIRCUIT_PAUSE));
    }

    Optional<String> contentType() {
        return settings.find(CONTENT_TYPE);
    }

    TopicValues<Boolean> keepResult() {
        return settings.byTopic(KEEP_RESULT);
    }

    Certificates certificates() {
        return TLS.read(settings);
    }

    private <T> void eachReadable(ChannelProblems problems, ChannelKey<T> key, Consumer<T> read) {
        readable(problems, key, () -> settings.find(key).ifPresent(read));
        settings.byTopic(key).own().forEach((topic, value) -> {
            try {
                read.accept(value);
            } catch (IllegalArgumentException e) {
                problems.add(key, topic, e.getMessage());
            }
        });
    }

    private static void readable(ChannelProblems problems, ChannelKey<?> key, Runnable read) {
        try {
            read.run();
        } catch (IllegalArgumentException e) {
            problems.add(key, e.getMessage());
        }
    }

    private void between(ChannelProblems problems, ChannelKey<Duration> key, Duration most) {
        Duration given = settings.get(key);
        if (given.compareTo(Duration.ofMillis(1)) < 0 || given.compareTo(most) > 0) {
            problems.add(key, "must be from 1ms to 10m");
        }
    }

    private void between(ChannelProblems problems, ChannelKey<Integer> key, int least) {
        int given = settings.get(key);
        if (given < least || given > MAX_REQUESTS) {
            problems.add(key, "must be from " + least + " to " + MAX_REQUESTS);
        }
    }

    /** The methods of requests. */
    enum Method {
        POST,
        PUT,
        PATCH,
        DELETE,
        GET
    }
}
