package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.tls.TlsKeys;
import java.time.Duration;
import java.util.List;

/** The keys that each channel has in its section that calls hosts. Immutable. */
public final class HostKeys {
    static final ChannelKey<Duration> TIMEOUT = ChannelKey.duration(
                    "timeout",
                    "The timeout of a whole exchange, from the lookup of the host to the answer; at most 10m.")
            .withDefault("15s");
    static final ChannelKey<Duration> CONNECT_TIMEOUT = ChannelKey.duration(
                    "connect-timeout", "The timeout of each of: the lookup of the host, the connection, TLS.")
            .withDefault("3s");
    static final ChannelKey<Integer> PER_HOST = ChannelKey.number(
                    "per-host", "The maximum of requests to one host at the same time. Up to 1000 more wait.")
            .withDefault("32");
    static final ChannelKey<Integer> MAX_IN_FLIGHT = ChannelKey.number(
                    "max-in-flight", "The maximum of requests at the same time, to all hosts together.")
            .withDefault("1000");
    static final ChannelKey<Integer> CIRCUIT_FAILURES = ChannelKey.number(
                    "circuit-failures",
                    "The number of failures in a row after which the host of a target gets no requests for a while; 0 ="
                            + " never.")
            .withDefault("10");
    static final ChannelKey<Duration> CIRCUIT_PAUSE = ChannelKey.duration(
                    "circuit-pause",
                    "How long such a host gets no requests. The pause doubles, up to 10m, as long as the host fails.")
            .withDefault("30s");

    private final String channel;
    private final Schemes schemes;
    private final ChannelKey<String> targets;
    private final ServiceKeys services;
    private final TlsKeys tls;

    /**
     * @param channel its name
     * @param named what a message names in its target: {@code URLs}
     */
    public HostKeys(String channel, Schemes schemes, String named) {
        this.channel = channel;
        this.schemes = schemes;
        this.targets = ChannelKey.text(
                "targets",
                "The " + named + " that a message may name in its target, with commas between: " + schemes.encrypted()
                        + "://*.example.com, " + schemes.plain()
                        + "://10.0.0.0/8, service://shop, service://* = any service, or * = any public address. Empty ="
                        + " none.");
        this.services = new ServiceKeys(schemes);
        this.tls = new TlsKeys("For " + schemes.encrypted() + ".");
    }

    /** The patterns of what a message may name in its target. */
    public ChannelKey<String> targets() {
        return targets;
    }

    /** How long a request may take. */
    public List<ChannelKey<?>> timeouts() {
        return List.of(TIMEOUT, CONNECT_TIMEOUT);
    }

    /** How many requests are under way, and when a host gets none. */
    public List<ChannelKey<?>> bounds() {
        return List.of(PER_HOST, MAX_IN_FLIGHT, CIRCUIT_FAILURES, CIRCUIT_PAUSE);
    }

    /** Where services are. */
    public List<ChannelKey<?>> registries() {
        return services.all();
    }

    /** Certificates. */
    public List<ChannelKey<?>> certificates() {
        return tls.all();
    }

    String channel() {
        return channel;
    }

    Schemes schemes() {
        return schemes;
    }

    ServiceKeys services() {
        return services;
    }

    TlsKeys tls() {
        return tls;
    }
}
