package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.HostKeys;
import io.mykit.delay.channel.hosts.HostSettings;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.common.value.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    private static final ChannelKey<Method> METHOD = ChannelKey.word(
                    Method.class, "method", "The method of messages that name none: post, put, patch, delete or get.")
            .withDefault("post");
    private static final ChannelKey<String> SUCCESS = ChannelKey.text(
                    "success", "The statuses that mean delivered. A redirect is not followed.")
            .withDefault("200-299");
    private static final ChannelKey<String> DEAD_ON = ChannelKey.text(
                    "dead-on", "The statuses that make a message a dead letter at once.")
            .withDefault("410");
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
    private static final HostKeys HOSTS = new HostKeys(CHANNEL, Schemes.HTTP, "URLs");

    private final ChannelSettings settings;
    private final HostSettings hosts;

    WebhookSettings(ChannelSettings settings) {
        this.settings = settings;
        this.hosts = new HostSettings(HOSTS, settings);
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(URL, SECRET, HOSTS.targets(), METHOD));
        keys.addAll(HOSTS.timeouts());
        keys.addAll(List.of(SUCCESS, DEAD_ON));
        keys.addAll(HOSTS.bounds());
        keys.addAll(List.of(CONTENT_TYPE, KEEP_RESULT));
        keys.addAll(HOSTS.registries());
        keys.addAll(HOSTS.certificates());
        return keys;
    }

    void check(ChannelProblems problems) {
        hosts.checkEach(problems, URL, Destination::of);
        hosts.checkEach(problems, SECRET, secret -> Signature.of(secret.reveal()));
        readable(problems, SUCCESS, this::success);
        readable(problems, DEAD_ON, this::deadOn);
        if (settings.inUse()
                && settings.find(URL).isEmpty()
                && settings.byTopic(URL).own().isEmpty()
                && settings.find(HOSTS.targets()).isEmpty()) {
            problems.add(
                    URL,
                    "is needed because a topic goes to webhook; or webhook.topics.<topic>.url, or "
                            + settings.name(HOSTS.targets()));
        }
        hosts.check(problems, URL, Destination::of);
    }

    HostSettings hosts() {
        return hosts;
    }

    TopicValues<Destination> urls() {
        return settings.byTopic(URL).map(Destination::of);
    }

    TopicValues<Signature> signatures() {
        return settings.byTopic(SECRET).map(secret -> Signature.of(secret.reveal()));
    }

    String method() {
        return settings.get(METHOD).name();
    }

    Statuses success() {
        return Statuses.of(settings.get(SUCCESS));
    }

    Statuses deadOn() {
        return Statuses.of(settings.get(DEAD_ON));
    }

    Optional<String> contentType() {
        return settings.find(CONTENT_TYPE);
    }

    TopicValues<Boolean> keepResult() {
        return settings.byTopic(KEEP_RESULT);
    }

    private static void readable(ChannelProblems problems, ChannelKey<?> key, Runnable read) {
        try {
            read.run();
        } catch (IllegalArgumentException e) {
            problems.add(key, e.getMessage());
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
