package io.mykit.delay.channel.console;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;

/** Makes the channel {@code console}, which has no settings. */
public final class ConsoleChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return "console";
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        return new ConsoleChannel(System.out);
    }
}
