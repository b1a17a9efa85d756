package io.mykit.delay.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The channels that a configuration names. Stateless. */
public final class ChannelNames {
    /** The channel that is built in: consumers pull the messages of its topics. */
    public static final String PULL = "pull";

    /** The section in which they are named. */
    public static final String SECTION = "mykit.delay.delivery.";

    private ChannelNames() {}

    /** The channel of each name in {@code delivery.topics} that has one; see {@link io.mykit.delay.common.value.TopicPatterns}. */
    public static Map<String, String> byTopic(DeliveryConfig delivery) {
        Map<String, String> names = new TreeMap<>();
        delivery.topics().forEach((topic, section) -> section.channel().ifPresent(name -> names.put(topic, name)));
        return names;
    }

    /** The default channel and the channels of the topics. */
    public static Set<String> inUse(DeliveryConfig delivery) {
        Set<String> names = new TreeSet<>(byTopic(delivery).values());
        names.add(delivery.defaultChannel());
        return names;
    }
}
