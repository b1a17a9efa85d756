package io.mykit.delay.lmstfy;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.lmstfy.admin.Accounts;
import io.mykit.delay.lmstfy.queue.Defaults;
import io.mykit.delay.ports.http.Port;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.lmstfy.*}. Immutable. */
final class LmstfySettings {
    private static final ChannelKey<String> HOST =
            ChannelKey.text("host", "The address on which both ports listen.").withDefault("127.0.0.1");
    private static final ChannelKey<Integer> PORT = ChannelKey.number(
            "port", "The port for clients of lmstfy, whose own is 7777. Empty = there is none; 0 = any free port.");
    private static final ChannelKey<Integer> ADMIN_PORT = ChannelKey.number(
            "admin-port",
            "The port for lmstfy's administration, whose own is 7778. Empty = there is none; 0 = any free port.");
    private static final ChannelKey<String> ADMIN_USER = ChannelKey.text(
            "admin-user",
            "The account that makes and shows tokens on the admin port, which needs one unless open is true.");
    private static final ChannelKey<Secret> ADMIN_PASSWORD =
            ChannelKey.secret("admin-password", "The password of admin-user.");
    private static final ChannelKey<Boolean> OPEN = ChannelKey.truth(
                    "open", "Whether clients need no token, and the admin port no account.")
            .withDefault("false");
    private static final ChannelKey<Boolean> PUBLIC_SIZE = ChannelKey.truth(
                    "public-size", "Whether the sizes of queues need no token, as with lmstfy.")
            .withDefault("false");
    private static final ChannelKey<String> TOPIC_PREFIX = ChannelKey.text(
                    "topic-prefix",
                    "Stands before namespace and queue in the name of a topic. The server adds the rule that these"
                            + " topics are pulled. The value / stands for no prefix; the operator writes the rules"
                            + " then.")
            .withDefault("lm/");
    private static final ChannelKey<Duration> MAX_WAIT = ChannelKey.duration(
                    "max-wait", "The longest wait of a consumer; a longer timeout is cut.")
            .withDefault("10m");
    private static final ChannelKey<Duration> DEFAULT_TTL = ChannelKey.duration(
                    "default-ttl", "The ttl of a job that gives none, in whole seconds; 0s = for ever.")
            .withDefault("1d");
    private static final ChannelKey<Duration> DEFAULT_DELAY = ChannelKey.duration(
                    "default-delay", "The delay of a job that gives none, in whole seconds.")
            .withDefault("0s");
    private static final ChannelKey<Integer> DEFAULT_TRIES = ChannelKey.number(
                    "default-tries", "The tries of a job that gives none.")
            .withDefault("1");
    private static final ChannelKey<Duration> DEFAULT_TTR = ChannelKey.duration(
                    "default-ttr", "How long a consumer holds a job if it does not say it, in whole seconds.")
            .withDefault("2m");
    private static final ChannelKey<Duration> DEFAULT_TIMEOUT = ChannelKey.duration(
                    "default-timeout", "How long a consumer waits if it does not say it, in whole seconds.")
            .withDefault("0s");

    private static final Pattern PREFIX = Pattern.compile("/|[A-Za-z0-9._-]{1,32}/");
    private static final int MAX_PORT = 65_535;
    private static final int MAX_TRIES = 65_535;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration LONG = Duration.ofDays(3650);

    private final ChannelSettings settings;

    LmstfySettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        return List.of(
                HOST,
                PORT,
                ADMIN_PORT,
                ADMIN_USER,
                ADMIN_PASSWORD,
                OPEN,
                PUBLIC_SIZE,
                TOPIC_PREFIX,
                MAX_WAIT,
                DEFAULT_TTL,
                DEFAULT_DELAY,
                DEFAULT_TRIES,
                DEFAULT_TTR,
                DEFAULT_TIMEOUT);
    }

    void check(ChannelProblems problems) {
        for (ChannelKey<Integer> key : List.of(PORT, ADMIN_PORT)) {
            settings.find(key)
                    .filter(port -> port < 0 || port > MAX_PORT)
                    .ifPresent(port -> problems.add(key, "must be from 0 to " + MAX_PORT));
        }
        if (adminPort().isPresent() && port().isEmpty()) {
            problems.add(ADMIN_PORT, "needs " + settings.name(PORT));
        }
        problems.addUnlessBoth(settings, ADMIN_USER, ADMIN_PASSWORD);
        if (adminPort().isPresent() && !isOpen() && settings.find(ADMIN_USER).isEmpty()) {
            problems.add(
                    ADMIN_PORT,
                    "needs " + settings.name(ADMIN_USER) + " and " + settings.name(ADMIN_PASSWORD) + ", or "
                            + settings.name(OPEN) + " = true: whoever reaches it makes tokens");
        }
        if (!PREFIX.matcher(settings.get(TOPIC_PREFIX)).matches()) {
            problems.add(TOPIC_PREFIX, "must be / for no prefix, or 1 to 32 of A-Z a-z 0-9 . _ - and a / at its end");
        }
        range(problems, MAX_WAIT, Duration.ZERO, HOUR);
        range(problems, DEFAULT_TTL, Duration.ZERO, LONG);
        range(problems, DEFAULT_DELAY, Duration.ZERO, LONG);
        range(problems, DEFAULT_TTR, Duration.ZERO, Duration.ofDays(1));
        range(problems, DEFAULT_TIMEOUT, Duration.ZERO, HOUR);
        int tries = settings.get(DEFAULT_TRIES);
        if (tries < 1 || tries > MAX_TRIES) {
            problems.add(DEFAULT_TRIES, "must be from 1 to " + MAX_TRIES);
        }
    }

    private void range(ChannelProblems problems, ChannelKey<Duration> key, Duration min, Duration max) {
        Duration value = settings.get(key);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            problems.add(key, "must be from " + min.toSeconds() + "s to " + max.toSeconds() + "s");
        }
    }

    Optional<Integer> port() {
        return settings.find(PORT);
    }

    Optional<Integer> adminPort() {
        return settings.find(ADMIN_PORT);
    }

    Port.Address address(int port) {
        return address(port, PORT);
    }

    Port.Address adminAddress(int port) {
        return address(port, ADMIN_PORT);
    }

    private Port.Address address(int port, ChannelKey<Integer> key) {
        return new Port.Address(host(), port, settings.name(HOST) + " or " + settings.name(key));
    }

    String host() {
        return settings.get(HOST);
    }

    boolean isOpen() {
        return settings.get(OPEN);
    }

    boolean isSizePublic() {
        return settings.get(PUBLIC_SIZE);
    }

    /** Empty = no prefix. */
    String prefix() {
        String prefix = settings.get(TOPIC_PREFIX);
        return prefix.equals("/") ? "" : prefix;
    }

    Duration maxWait() {
        return settings.get(MAX_WAIT);
    }

    Accounts accounts() {
        return new Accounts(settings.find(ADMIN_USER), settings.find(ADMIN_PASSWORD));
    }

    Defaults defaults() {
        return new Defaults(
                settings.get(DEFAULT_TTL),
                settings.get(DEFAULT_DELAY),
                settings.get(DEFAULT_TRIES),
                settings.get(DEFAULT_TTR),
                settings.get(DEFAULT_TIMEOUT));
    }
}
