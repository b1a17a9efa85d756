package io.mykit.delay.channel.activemq;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names of headers as JMS properties. A JMS name is a Java identifier, so each hyphen and dot becomes an underscore, and
 * a name that begins with a digit gets an underscore before it. Stateless.
 */
final class HeaderNames {
    private static final Set<String> OWN =
            Set.of(MessageMapping.ID, MessageMapping.SUBTOPIC, MessageMapping.BIZ_KEY, MessageMapping.DUE_TIME);

    private HeaderNames() {}

    static String property(String header) {
        String name = header.replace('-', '_').replace('.', '_');
        return Character.isDigit(name.charAt(0)) ? "_" + name : name;
    }

    /** The reason why these headers cannot be properties side by side; empty if there is none. */
    static Optional<String> objection(Collection<String> headers) {
        Map<String, String> taken = new HashMap<>();
        for (String header : headers) {
            String property = property(header);
            if (OWN.contains(property)) {
                return Optional.of("headers." + header + " is reserved: ActiveMQ messages have a property " + property);
            }
            String other = taken.put(property, header);
            if (other != null) {
                return Optional.of("headers." + other + " and headers." + header
                        + " exclude each other: both become the ActiveMQ property " + property);
            }
        }
        return Optional.empty();
    }
}
