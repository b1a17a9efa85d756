package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.hosts.destination.ServiceName;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** The services whose instances are in the configuration. Immutable. */
public final class StaticEndpoints implements EndpointResolver {
    private static final Duration FOR_EVER = Duration.ofDays(1);

    private final Map<String, List<Destination>> byName;

    private StaticEndpoints(Map<String, List<Destination>> byName) {
        this.byName = Map.copyOf(byName);
    }

    /**
     * @param text {@code name=URL URL} with commas between; empty = no service
     * @throws IllegalArgumentException if the text has another form; the message continues a sentence
     */
    public static StaticEndpoints of(String text, Schemes schemes) {
        Map<String, List<Destination>> byName = new TreeMap<>();
        Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .forEach(entry -> {
                    int equals = entry.indexOf('=');
                    if (equals < 0 || entry.substring(equals + 1).isBlank()) {
                        throw new IllegalArgumentException(
                                "must be services with their URLs, such as " + example(schemes));
                    }
                    String name = ServiceName.of(entry.substring(0, equals).strip());
                    if (byName.put(name, instances(entry.substring(equals + 1).strip(), schemes)) != null) {
                        throw new IllegalArgumentException("has the service " + name + " twice");
                    }
                });
        return new StaticEndpoints(byName);
    }

    /** Whether the configuration has the service. */
    public boolean has(String service) {
        return byName.containsKey(service);
    }

    @Override
    public CompletionStage<Endpoints> find(String service) {
        return CompletableFuture.completedFuture(new Endpoints(byName.getOrDefault(service, List.of()), FOR_EVER));
    }

    @Override
    public void close() {
        // There is nothing to end.
    }

    /** The form of the text. */
    public static String example(Schemes schemes) {
        String port = schemes.encryptedPort() == 0 ? ":8443" : "";
        return "shop=" + schemes.plain() + "://10.0.0.7:8080 " + schemes.plain() + "://10.0.0.8:8080, stock="
                + schemes.encrypted() + "://stock.internal" + port;
    }

    private static List<Destination> instances(String urls, Schemes schemes) {
        return Arrays.stream(urls.split("\\s+", -1))
                .map(url -> instance(url, schemes))
                .distinct()
                .collect(Collectors.toList());
    }

    private static Destination instance(String url, Schemes schemes) {
        Destination instance = Destination.of(url, schemes);
        if (instance.isService()) {
            throw new IllegalArgumentException("has an instance that does not begin with " + schemes.plain() + ":// or "
                    + schemes.encrypted() + "://");
        }
        if (!instance.path().equals("/")) {
            throw new IllegalArgumentException("has an instance with a path; the path is in the URL of the topic");
        }
        return instance;
    }
}
