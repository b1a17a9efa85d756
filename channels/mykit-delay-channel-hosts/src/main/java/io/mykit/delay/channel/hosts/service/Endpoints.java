package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import java.time.Duration;
import java.util.List;

/**
 * The answer of a registry. Immutable.
 *
 * @param instances of a service, at the root path
 * @param freshFor how long the registry need not be asked again
 */
public record Endpoints(List<Destination> instances, Duration freshFor) {
    public Endpoints {
        instances = List.copyOf(instances);
    }
}
