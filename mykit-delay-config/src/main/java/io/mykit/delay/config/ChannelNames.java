package io.mykit.delay.config;

import java.util.Set;
import java.util.TreeSet;

/** Which channels a configuration names. */
public final class ChannelNames {
    private ChannelNames() {}

    /** The default channel and those of the topics. */
    public static Set<String> inUse(DeliveryConfig delivery) {
        Set<String> names = new TreeSet<>(delivery.topics().values());
        names.add(delivery.defaultChannel());
        return names;
    }
}
