package io.mykit.delay.channel.activemq;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names of headers as JMS properties. A JMS name is a Java identifier, so each other character becomes an underscore, and
 * a name that begins with a digit gets an underscore before it. Stateless.
 */
final class HeaderNames {
    private static final Set<String> OWN =
            Set.of(MessageMapping.ID, MessageMapping.SUBTOPIC, MessageMapping.BIZ_KEY, MessageMapping.DUE_TIME);

    /** JMS and ActiveMQ understand these as fields or as orders, such as a delay of the broker, and not as properties. */
    private static final List<String> BROKERS = List.of("JMS", "AMQ_SCHEDULED_");

    /**
     * The copy of a dead letter has such a header, and no target. If a JMS program sent the dead letter, its headers have names that are
     * reserved otherwise; what the channel adds wins over them.
     */
    private static final String OF_DEAD_LETTER = "mykit-delay-dead-id";

    private HeaderNames() {}

    static String property(String header) {
        StringBuilder name = new StringBuilder(header.length());
        header.codePoints().forEach(c -> name.appendCodePoint(Character.isJavaIdentifierPart(c) ? c : '_'));
        return Character.isJavaIdentifierStart(name.codePointAt(0)) ? name.toString() : "_" + name;
    }

    /** The reason why these headers cannot be properties side by side; empty if there is none. */
    static Optional<String> objection(Collection<String> headers) {
        Map<String, String> taken = new HashMap<>();
        boolean ofDeadLetter = headers.contains(OF_DEAD_LETTER);
        for (String header : headers) {
            String property = property(header);
            if (OWN.contains(property) && !ofDeadLetter) {
                return Optional.of("headers." + header + " is reserved: ActiveMQ messages have a property " + property);
            }
            if (ofDeadLetter
                    ? FormedMessage.isReserved(property)
                    : BROKERS.stream().anyMatch(property::startsWith)) {
                return Optional.of("headers." + header + " is reserved: it means something to ActiveMQ");
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
