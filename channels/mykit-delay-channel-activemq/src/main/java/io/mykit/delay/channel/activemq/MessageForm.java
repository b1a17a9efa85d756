package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.activemq.ActiveMqSettings.Destination;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The form of a JMS message, as {@code target} of a push tells it. Such a message arrives as a JMS program would have sent it: its
 * properties are the headers of the push alone.
 *
 * @param destination the kind of its destination; null = that of the channel
 * @param body what it has instead of the body of the push
 * @param types the types of properties that are no strings, by name
 * @param isPersistent its delivery mode
 * @param timeToLiveMs counts from the delivery, milliseconds; 0 = for ever
 */
record MessageForm(
        Destination destination, Body body, Map<String, PropertyType> types, boolean isPersistent, long timeToLiveMs) {
    private static final String TARGET = "target.";
    private static final String DESTINATION = "destination";
    private static final String BODY = "body";
    private static final String TYPES = "types";
    private static final String DELIVERY_MODE = "deliveryMode";
    private static final String TIME_TO_LIVE = "timeToLive";
    private static final List<String> NAMES = List.of(DESTINATION, BODY, TYPES, DELIVERY_MODE, TIME_TO_LIVE);

    /** What the message has instead of the body of the push. */
    enum Body {
        /** Nothing else: a text message, or a bytes message. */
        GIVEN,
        /** A text message whose text is null. */
        NULL,
        /** No body, so it is neither a text message nor a bytes message. */
        NONE
    }

    /** @throws IllegalArgumentException if it is no such target; the message names the entry */
    static MessageForm of(Map<String, String> target) {
        for (String name : target.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                        TARGET + name + " is unknown; the channel activemq knows " + String.join(", ", NAMES));
            }
        }
        return new MessageForm(
                choice(target, DESTINATION, "queue", Destination.QUEUE, "topic", Destination.TOPIC, null),
                choice(target, BODY, "null", Body.NULL, "none", Body.NONE, Body.GIVEN),
                types(target.getOrDefault(TYPES, "")),
                choice(target, DELIVERY_MODE, "persistent", true, "non-persistent", false, true),
                milliseconds(target.getOrDefault(TIME_TO_LIVE, "0")));
    }

    /** The type of a property. */
    PropertyType type(String name) {
        return types.getOrDefault(name, PropertyType.STRING);
    }

    private static <T> T choice(
            Map<String, String> target, String name, String one, T first, String other, T second, T absent) {
        String given = target.get(name);
        if (given == null) {
            return absent;
        }
        if (!given.equals(one) && !given.equals(other)) {
            throw new IllegalArgumentException(TARGET + name + " must be " + one + " or " + other);
        }
        return given.equals(one) ? first : second;
    }

    private static Map<String, PropertyType> types(String text) {
        Map<String, PropertyType> types = new HashMap<>();
        for (String entry : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int colon = entry.lastIndexOf(':');
            PropertyType type = PropertyType.of(entry.substring(colon + 1))
                    .filter(known -> colon > 0)
                    .orElseThrow(() -> new IllegalArgumentException(TARGET + TYPES
                            + " must look like count:int,vip:boolean; the types are "
                            + List.of(PropertyType.values())));
            if (types.put(entry.substring(0, colon), type) != null) {
                throw new IllegalArgumentException(
                        TARGET + TYPES + " names " + entry.substring(0, colon) + " more than once");
            }
        }
        return Map.copyOf(types);
    }

    private static long milliseconds(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException(TARGET + TIME_TO_LIVE + " must be a number of milliseconds");
        }
        return Long.parseLong(text);
    }
}
