package io.mykit.delay.channel;

import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes a channel. {@link java.util.ServiceLoader} finds it, so it needs a public constructor without arguments.
 *
 * <p>The server loads every factory on its class path at each start, also for {@code --help}. So a factory loads the
 * classes of its client library only in {@link #open}.
 */
public interface DeliveryChannelFactory extends SettingsSection {
    /**
     * The name of the channel in {@code delivery.default-channel} and {@code delivery.topics.*}, and of its section in the
     * configuration, {@code mykit.delay.<name>.*}. It has letters, digits and hyphens. It must not be the name of a section
     * of the server.
     */
    @Override
    String name();

    /**
     * The keys of the channel's section, in the order in which {@code --help} shows them. The server refuses all other
     * keys.
     */
    @Override
    default List<ChannelKey<?>> keys() {
        return List.of();
    }

    /**
     * Adds a problem for each value that is out of range, missing, or contradicts another. The server calls it at every
     * start, whether or not the channel is in use; see {@link ChannelSettings#inUse}. A problem stops the start.
     */
    @Override
    default void check(ChannelSettings settings, ChannelProblems problems) {
        // By default there is nothing to check.
    }

    /** The destination of the channel, for the lines that the server prints after its start; no secrets. */
    default Optional<String> address(ChannelSettings settings) {
        return Optional.empty();
    }

    /**
     * The longest time, by these settings, from the permission to send a message ({@link Outgoing#mayBeSent}) to its fate. A stop of
     * the server waits for the fates of the messages that are being sent; the server warns at its start if {@code stop.timeout} is too
     * short for that.
     */
    default Duration longestSend(ChannelSettings settings) {
        return settings.sendTimeout();
    }

    /** Keys of the retry policy of this channel's topics, where neither the message nor the topic has a policy. */
    default RetryOptions retry() {
        return RetryOptions.NONE;
    }

    /**
     * Whether a message may name its destination in {@code target}. If not, the server refuses a push with a target; if so,
     * {@link DeliveryChannel#objection} checks the target.
     */
    default boolean takesTargets() {
        return false;
    }

    /**
     * Opens the channel. It must not fail because the broker is away: {@link DeliveryChannel#deliver} and
     * {@link DeliveryChannel#health} report that.
     *
     * @throws IllegalArgumentException if a setting is missing or wrong; the message names the key
     */
    DeliveryChannel open(ChannelSettings settings);
}
