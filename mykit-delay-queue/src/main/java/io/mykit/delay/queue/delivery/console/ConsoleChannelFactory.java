package io.mykit.delay.queue.delivery.console;

import io.mykit.delay.queue.delivery.ChannelSettings;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.delivery.DeliveryChannelFactory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;

/** {@code console}: needs no settings. */
public final class ConsoleChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return "console";
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        // Not System.out: that swallows write errors, and "printed" has to be true.
        return new ConsoleChannel(new FileOutputStream(FileDescriptor.out));
    }
}
