package io.mykit.delay.queue.delivery;

/** Makes a channel; found by {@link java.util.ServiceLoader}. Needs a public constructor without arguments. */
public interface DeliveryChannelFactory {
    /** The name used in {@code delivery.default-channel} and {@code delivery.topics.*}. */
    String name();

    /**
     * Opens the channel. A broker that is away at that moment is no reason to fail: say so in {@link
     * DeliveryChannel#deliver} and {@link DeliveryChannel#health}.
     *
     * @throws IllegalArgumentException if a setting is missing or wrong; the message names the key
     */
    DeliveryChannel open(ChannelSettings settings);
}
