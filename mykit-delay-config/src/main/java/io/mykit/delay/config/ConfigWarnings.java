package io.mykit.delay.config;

import io.mykit.delay.common.value.DurationParser;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds settings that work but are probably a mistake. Stateless. */
final class ConfigWarnings {
    private static final Set<String> LOOPBACK = Set.of("localhost", "::1", "[::1]");

    /** Shorter tokens can be guessed. */
    private static final int TOKEN_LENGTH = 16;

    private ConfigWarnings() {}

    /** @param channels by name */
    static List<String> of(DelayConfig config, Map<String, InstalledChannel> channels) {
        List<String> warnings = new ArrayList<>();
        boolean standalone = config.mode() == DelayConfig.Mode.STANDALONE;
        String host = config.http().host();
        if (!isLoopback(host)) {
            openCalls(config.http())
                    .ifPresent(open -> warnings.add("mykit.delay.http.host = " + host + " can be reached from other"
                            + " machines, and without " + open + ", and so may web pages in old browsers"));
        }
        String grpcHost = config.grpcApi().host();
        if (config.grpcApi().port().isPresent()
                && !isLoopback(grpcHost)
                && config.http().producerToken().isEmpty()) {
            warnings.add("mykit.delay.grpc-api.host = " + grpcHost + " can be reached from other machines, and without"
                    + " mykit.delay.http.producer-token any program there may push, pull and cancel messages");
        }
        if (standalone && config.registry().serverList().isPresent()) {
            warnings.add("mykit.delay.registry.server-list is not used in standalone mode");
        }
        tokens(config.http()).forEach((key, token) -> {
            if (token.isPresent() && token.get().reveal().length() < TOKEN_LENGTH) {
                warnings.add("mykit.delay.http." + key + " has fewer than " + TOKEN_LENGTH
                        + " characters and can be guessed; a long one: openssl rand -hex 24");
            }
        });
        warnings.addAll(TlsCheck.warnings(config.http().tls()));
        channels.values().stream()
                .filter(channel -> channel.settings().inUse())
                .forEach(channel -> longSend(config.stop(), channel).ifPresent(warnings::add));
        return warnings;
    }

    private static boolean isLoopback(String host) {
        return host.startsWith("127.") || LOOPBACK.contains(host);
    }

    /** Continues a sentence. The calls of operators are closed once any token is configured. */
    private static Optional<String> openCalls(HttpConfig http) {
        if (http.producerToken().isPresent()) {
            return Optional.empty();
        }
        boolean none = http.adminToken().isEmpty() && http.viewerToken().isEmpty();
        return Optional.of(
                none
                        ? "mykit.delay.http.admin-token any program there may call /clearAll"
                        : "mykit.delay.http.producer-token any program there may push, pull and cancel messages");
    }

    private static Optional<String> longSend(StopConfig stop, InstalledChannel channel) {
        Duration longest = channel.longestSend();
        Duration needed = StopTimes.forSend(longest);
        if (stop.timeout().compareTo(needed) >= 0) {
            return Optional.empty();
        }
        return Optional.of("a send to the channel " + channel.factory().name() + " may take "
                + DurationParser.format(longest) + ", and a stop waits only "
                + DurationParser.format(StopTimes.deliveries(stop))
                + ": messages that take longer are delivered twice. Set mykit.delay.stop.timeout to at least "
                + DurationParser.format(needed) + ", and let systemd, Kubernetes or Docker wait longer than that");
    }

    /** By the key below {@code http}. */
    static Map<String, Optional<Secret>> tokens(HttpConfig http) {
        Map<String, Optional<Secret>> tokens = new LinkedHashMap<>();
        tokens.put("admin-token", http.adminToken());
        tokens.put("producer-token", http.producerToken());
        tokens.put("viewer-token", http.viewerToken());
        return tokens;
    }
}
