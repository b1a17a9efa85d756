package io.mykit.delay.queue.delivery.console;

import io.mykit.delay.queue.delivery.ChannelSettings;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.delivery.DeliveryChannelFactory;

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
