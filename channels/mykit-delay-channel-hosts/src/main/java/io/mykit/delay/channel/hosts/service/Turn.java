package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Gives each instance of a service its turn to be the first. It begins at random, as other nodes do. Thread-safe. */
final class Turn {
    private final AtomicInteger next =
            new AtomicInteger(ThreadLocalRandom.current().nextInt());

    /** The instances, beginning with the one whose turn it is. */
    List<Destination> of(List<Destination> instances) {
        if (instances.size() < 2) {
            return instances;
        }
        List<Destination> turned = new ArrayList<>(instances);
        Collections.rotate(turned, -Math.floorMod(next.getAndIncrement(), instances.size()));
        return turned;
    }
}
