package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.hosts.destination.Targets;
import io.mykit.delay.channel.hosts.service.Services;
import java.time.Duration;

/** What the requests of one channel share; {@link HostSettings} opens it and {@link HostChannel} closes it. Thread-safe. */
public final class Hosts {
    private final String channel;
    private final HttpLink link;
    private final Lookups lookups;
    private final Targets targets;
    private final Services services;
    private final Places places;
    private final Duration timeout;
    /** Empty until a request failed. */
    private volatile String lastFailure = "";

    Hosts(
            String channel,
            HttpLink link,
            Lookups lookups,
            Targets targets,
            Services services,
            Places places,
            Duration timeout) {
        this.channel = channel;
        this.link = link;
        this.lookups = lookups;
        this.targets = targets;
        this.services = services;
        this.places = places;
        this.timeout = timeout;
    }

    String channel() {
        return channel;
    }

    HttpLink link() {
        return link;
    }

    Lookups lookups() {
        return lookups;
    }

    Targets targets() {
        return targets;
    }

    Services services() {
        return services;
    }

    Places places() {
        return places;
    }

    /** Of a whole exchange. */
    Duration timeout() {
        return timeout;
    }

    void failed(String why) {
        lastFailure = why;
    }

    String lastFailure() {
        return lastFailure;
    }

    /** Decides the fates that are open. Idempotent, bounded in time. */
    void close() {
        places.close();
        services.close();
        lookups.close();
        link.close();
    }
}
