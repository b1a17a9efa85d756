package io.mykit.delay.channel.console;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;

/** {@code console}: needs no settings. */
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
