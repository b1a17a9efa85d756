package io.mykit.delay.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which channels a configuration names. */
public final class ChannelNames {
    private ChannelNames() {}

    /** Topic to channel, for the topics that have one of their own. */
    public static Map<String, String> byTopic(DeliveryConfig delivery) {
        Map<String, String> names = new TreeMap<>();
        delivery.topics().forEach((topic, section) -> section.channel().ifPresent(name -> names.put(topic, name)));
        return names;
    }

    /** The default channel and those of the topics. */
    public static Set<String> inUse(DeliveryConfig delivery) {
        Set<String> names = new TreeSet<>(byTopic(delivery).values());
        names.add(delivery.defaultChannel());
        return names;
    }
}
