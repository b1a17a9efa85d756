package io.mykit.delay.channel;

import java.util.List;
import java.util.Optional;

/**
 * Makes a channel; found by {@link java.util.ServiceLoader}. Needs a public constructor without arguments.
 *
 * <p>The server loads every factory on its class path at each start, also for {@code --help}. So a factory loads the classes
 * of its client library only in {@link #open}.
 */
public interface DeliveryChannelFactory {
    /**
     * The name used in {@code delivery.default-channel} and {@code delivery.topics.*}, and of the channel's section in the
     * configuration, {@code mykit.delay.<name>.*}. Letters, digits, hyphens; not the name of one of the server's own sections.
     */
    String name();

    /** The keys of the channel's section, in the order in which {@code --help} shows them. All others are refused. */
    default List<ChannelKey<?>> keys() {
        return List.of();
    }

    /**
     * Adds a problem for each value that is out of range, missing, or does not go with another. Called at every start, whether
     * or not the channel is in use; see {@link ChannelSettings#inUse}. Each problem stops the start.
     */
    default void check(ChannelSettings settings, ChannelProblems problems) {
        // Nothing to check.
    }

    /** Where the channel delivers to, for the lines that the server prints once it runs; no secrets. */
    default Optional<String> address(ChannelSettings settings) {
        return Optional.empty();
    }

    /**
     * Opens the channel. A broker that is away at that moment is no reason to fail: say so in {@link
     * DeliveryChannel#deliver} and {@link DeliveryChannel#health}.
     *
     * @throws IllegalArgumentException if a setting is missing or wrong; the message names the key
     */
    DeliveryChannel open(ChannelSettings settings);
}
