package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The destinations that a message may name. A destination is allowed if a pattern has its name and all its addresses
 * are public, or if patterns open its addresses. Immutable.
 */
public final class Targets {
    private final List<TargetPattern> patterns;

    private Targets(List<TargetPattern> patterns) {
        this.patterns = patterns;
    }

    /**
     * @param text patterns with commas or blanks between; empty = a message may name no destination
     * @throws IllegalArgumentException if one is no pattern; the message continues a sentence
     */
    public static Targets of(String text, Schemes schemes) {
        return new Targets(Arrays.stream(text.split("[,\\s]+"))
                .filter(pattern -> !pattern.isEmpty())
                .map(pattern -> TargetPattern.of(pattern, schemes))
                .toList());
    }

    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /** Whether a destination may be allowed, as far as its URL tells. */
    public boolean mayAllow(Destination destination) {
        return destination.address().isPresent()
                ? allow(destination, destination.address().get())
                : fitting(destination).anyMatch(pattern -> pattern.range().isPresent() || pattern.names(destination));
    }

    /** Whether a request may go to a destination at these addresses. One that is not allowed forbids all. */
    public boolean allow(Destination destination, List<InetAddress> addresses) {
        return !addresses.isEmpty() && addresses.stream().allMatch(address -> allow(destination, address));
    }

    private boolean allow(Destination destination, InetAddress address) {
        boolean isPublic = !ClosedAddresses.contain(address);
        return fitting(destination)
                .anyMatch(pattern -> pattern.opens(address) || (isPublic && pattern.names(destination)));
    }

    private Stream<TargetPattern> fitting(Destination destination) {
        return patterns.stream().filter(pattern -> pattern.fits(destination));
    }
}
