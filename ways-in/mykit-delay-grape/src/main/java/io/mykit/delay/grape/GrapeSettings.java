package io.mykit.delay.grape;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.ports.http.Port;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.grape.*}. Immutable. */
final class GrapeSettings {
    private static final ChannelKey<String> HOST =
            ChannelKey.text("host", "The address on which the port listens.").withDefault("127.0.0.1");
    private static final ChannelKey<Integer> PORT = ChannelKey.number(
            "port", "The port for clients of Grape, whose own is 9521. Empty = there is none; 0 = any free port.");
    private static final ChannelKey<Boolean> OPEN = ChannelKey.truth(
                    "open",
                    "Whether clients need no token although the server has tokens. Grape has none, so its clients send"
                            + " none unless they are changed.")
            .withDefault("false");
    private static final ChannelKey<String> TOPIC_PREFIX = ChannelKey.text(
                    "topic-prefix",
                    "Stands before the name of a tube in the name of its topic. The server adds the rule that these"
                            + " topics are pulled. If it is a namespace, the tubes belong to it.")
            .withDefault("grape/");

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{1,32}/");
    private static final int MAX_PORT = 65_535;

    private final ChannelSettings settings;

    GrapeSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        return List.of(HOST, PORT, OPEN, TOPIC_PREFIX);
    }

    void check(ChannelProblems problems) {
        port().filter(port -> port < 0 || port > MAX_PORT)
                .ifPresent(port -> problems.add(PORT, "must be from 0 to " + MAX_PORT));
        if (!PREFIX.matcher(prefix()).matches()) {
            problems.add(TOPIC_PREFIX, "must be 1 to 32 of A-Z a-z 0-9 . _ - and a / at its end");
        }
    }

    Optional<Integer> port() {
        return settings.find(PORT);
    }

    Port.Address address(int port) {
        return new Port.Address(host(), port, settings.name(HOST) + " or " + settings.name(PORT));
    }

    String host() {
        return settings.get(HOST);
    }

    boolean isOpen() {
        return settings.get(OPEN);
    }

    String prefix() {
        return settings.get(TOPIC_PREFIX);
    }
}
