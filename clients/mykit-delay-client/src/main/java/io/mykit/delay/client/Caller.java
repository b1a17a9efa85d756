package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who this client is to the server: the token, and what it may do. Immutable.
 *
 * @param name the name in logs and in the audit of the server; never the token
 * @param namespace the namespace that the token is confined to: its names have no prefix. {@code *} = it sees the whole queue
 * @param roles such as {@code producer}; none = no token
 * @param tokenId empty = no token, or one of the server's configuration
 * @param expires when the token expires; empty = never
 * @param limits of the token, and of its namespace
 */
public record Caller(
        String name,
        String namespace,
        List<String> roles,
        Optional<String> tokenId,
        Optional<Instant> expires,
        CallerLimits limits) {
    private static final String ALL = "*";

    public Caller {
        roles = List.copyOf(roles);
    }

    /** Whether the client sees one namespace alone, by names without its prefix. */
    public boolean isConfined() {
        return !namespace.equals(ALL);
    }

    static Caller read(JsonObject caller) {
        return new Caller(
                caller.text("name"),
                caller.text("namespace"),
                JsonObject.list(caller.get("roles")).stream()
                        .map(String.class::cast)
                        .toList(),
                caller.optionalText("tokenId"),
                caller.optionalInteger("expires").map(Instant::ofEpochMilli),
                CallerLimits.read(JsonObject.of(
                        Optional.<Object>ofNullable(caller.get("limits")).orElse(Map.of()))));
    }
}
