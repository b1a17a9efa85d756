package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Targets;
import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The values of {@link HostKeys} in the section of one channel. Immutable. */
public final class HostSettings {
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
    private static final int MAX_REQUESTS = 100_000;

    /** A receiver that is away for a day still gets its messages. */
    private static final List<Long> GAPS_MS = Stream.of("PT5S", "PT5M", "PT30M", "PT2H", "PT5H", "PT10H", "PT10H")
            .map(gap -> Duration.parse(gap).toMillis())
            .toList();

    private final HostKeys keys;
    private final ChannelSettings settings;

    public HostSettings(HostKeys keys, ChannelSettings settings) {
        this.keys = keys;
        this.settings = settings;
    }

    /**
     * Adds a problem for each value that is no such value.
     *
     * @param destinationKey the key of the destinations of topics
     * @param read fails with an IllegalArgumentException for a value that is no destination
     */
    public void check(ChannelProblems problems, ChannelKey<String> destinationKey, Function<String, Destination> read) {
        try {
            targets();
        } catch (IllegalArgumentException e) {
            problems.add(keys.targets(), e.getMessage());
        }
        between(problems, HostKeys.TIMEOUT);
        between(problems, HostKeys.CONNECT_TIMEOUT);
        between(problems, HostKeys.CIRCUIT_PAUSE);
        between(problems, HostKeys.PER_HOST, 1);
        between(problems, HostKeys.MAX_IN_FLIGHT, 1);
        between(problems, HostKeys.CIRCUIT_FAILURES, 0);
        new ServiceSettings(keys, settings).check(problems, destinationKey, read);
        keys.tls().check(settings, problems, true, keys.schemes().encrypted());
    }

    /** Adds a problem for each value of a key, and of its topics, that {@code read} fails for with an IllegalArgumentException. */
    public <T> void checkEach(ChannelProblems problems, ChannelKey<T> key, Consumer<T> read) {
        try {
            settings.find(key).ifPresent(read);
        } catch (IllegalArgumentException e) {
            problems.add(key, e.getMessage());
        }
        settings.byTopic(key).own().forEach((topic, value) -> {
            try {
                read.accept(value);
            } catch (IllegalArgumentException e) {
                problems.add(key, topic, e.getMessage());
            }
        });
    }

    /** The receivers of topics, for people; empty if there is none. */
    public static Optional<String> address(TopicValues<Destination> destinations) {
        String receivers = Stream.concat(destinations.ofSection().stream(), destinations.own().values().stream())
                .map(Destination::receiver)
                .distinct()
                .collect(Collectors.joining(", "));
        return Optional.of(receivers).filter(text -> !text.isEmpty());
    }

    /** The retry policy of messages whose topics have none. */
    public static RetryOptions retry() {
        long longestMs = GAPS_MS.get(GAPS_MS.size() - 1);
        return new RetryOptions(GAPS_MS.size() + 1, null, null, longestMs, GAPS_MS, null);
    }

    /** The timeout of a whole exchange. */
    public Duration timeout() {
        return settings.get(HostKeys.TIMEOUT);
    }

    /**
     * Opens what the requests of a channel share. It connects to nothing.
     *
     * @throws IllegalArgumentException if a setting is wrong; the message names the key
     */
    public Hosts open(HostResolver resolver, Protocol protocol) {
        Duration connectTimeout = settings.get(HostKeys.CONNECT_TIMEOUT);
        Targets targets = targets();
        HttpLink link = new HttpLink(
                connectTimeout, settings.get(HostKeys.PER_HOST), keys.tls().read(settings), protocol);
        Lookups lookups = new Lookups(resolver, connectTimeout);
        return new Hosts(
                keys.channel(),
                link,
                lookups,
                targets,
                new ServiceSettings(keys, settings).open(new RegistryCalls(link, lookups), connectTimeout),
                new Places(
                        settings.get(HostKeys.PER_HOST),
                        settings.get(HostKeys.MAX_IN_FLIGHT),
                        this::newCircuit,
                        System::nanoTime,
                        () -> ThreadLocalRandom.current().nextDouble()),
                timeout());
    }

    private Targets targets() {
        return Targets.of(settings.find(keys.targets()).orElse(""), keys.schemes());
    }

    private Circuit newCircuit() {
        return new Circuit(settings.get(HostKeys.CIRCUIT_FAILURES), settings.get(HostKeys.CIRCUIT_PAUSE));
    }

    private void between(ChannelProblems problems, ChannelKey<Duration> key) {
        Duration given = settings.get(key);
        if (given.compareTo(Duration.ofMillis(1)) < 0 || given.compareTo(MAX_TIMEOUT) > 0) {
            problems.add(key, "must be from 1ms to 10m");
        }
    }

    private void between(ChannelProblems problems, ChannelKey<Integer> key, int least) {
        int given = settings.get(key);
        if (given < least || given > MAX_REQUESTS) {
            problems.add(key, "must be from " + least + " to " + MAX_REQUESTS);
        }
    }
}
