package io.mykit.delay.config;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The part of a configuration that decides where and how messages are delivered. It should be the same on all nodes. Stateless. */
final class DeliveryRules {
    private static final String PREFIX = ConfigKeys.ROOT + ".";
    private static final String DELIVERY = PREFIX + "delivery.";
    /** They decide how fast a node delivers, and may differ. */
    private static final Set<String> OF_THE_NODE =
            Set.of(DELIVERY + "batch-size", DELIVERY + "send-timeout", DELIVERY + "lease", DELIVERY + "threads");
    /** The settings of a channel for single topics: the destinations of callbacks. */
    private static final Pattern TOPIC_OF_CHANNEL = Pattern.compile(Pattern.quote(PREFIX) + "[^.]+\\.topics\\..+");

    private DeliveryRules() {}

    /**
     * The values by key, without the common beginning of all keys.
     *
     * @param shown values without secrets, by full key
     */
    static Map<String, String> of(Map<String, String> shown) {
        Map<String, String> rules = new TreeMap<>();
        shown.forEach((key, value) -> {
            boolean decides = key.startsWith(DELIVERY) && !OF_THE_NODE.contains(key);
            if (decides || TOPIC_OF_CHANNEL.matcher(key).matches()) {
                rules.put(key.substring(PREFIX.length()), value);
            }
        });
        return rules;
    }
}
