package io.mykit.delay.client.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The properties of a JMS message as texts.
 *
 * @param texts by name
 * @param types of those that are no strings: {@code count:int,vip:boolean}
 */
record Properties(Map<String, String> texts, String types) {
    private static final Set<Class<?>> NUMBERS =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class);

    /** The ones that the program sets. All others of JMSX are set by providers, also on a message that was received. */
    private static final Set<String> OF_PROGRAMS = Set.of("JMSXGroupID", "JMSXGroupSeq");

    static Properties of(Message message) throws JMSException {
        Map<String, String> texts = new HashMap<>();
        List<String> types = new ArrayList<>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = (String) names.nextElement();
            if (name.equals(Delays.PROPERTY) || (name.startsWith("JMSX") && !OF_PROGRAMS.contains(name))) {
                continue;
            }
            Object value = message.getObjectProperty(name);
            if (value instanceof String text) {
                texts.put(name, text);
            } else {
                texts.put(name, value == null ? "" : value.toString());
                types.add(checked(name) + ":" + type(name, value));
            }
        }
        return new Properties(texts, String.join(",", types));
    }

    private static String checked(String name) throws MessageFormatException {
        if (name.contains(",")) {
            throw new MessageFormatException("The name of the property " + name
                    + " has a comma, and names of JMS are Java identifiers: rename it");
        }
        return name;
    }

    private static String type(String name, Object value) throws MessageFormatException {
        if (value == null) {
            return "null";
        }
        if (value instanceof Integer) {
            return "int";
        }
        if (value instanceof Boolean || NUMBERS.contains(value.getClass())) {
            return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        }
        throw new MessageFormatException(
                "The property " + name + " is a " + value.getClass().getSimpleName()
                        + ", and JMS knows booleans, numbers and strings: set it as a string");
    }
}
