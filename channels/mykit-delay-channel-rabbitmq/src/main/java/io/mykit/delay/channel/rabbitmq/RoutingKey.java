package io.mykit.delay.channel.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.DelayMessage;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The routing key of a topic's messages, as a pattern with {@code {topic}} and {@code {subtopic}}. Immutable.
 *
 * @param pattern as in the configuration
 */
record RoutingKey(String pattern) {
    /** AMQP keeps names and keys in short strings: bytes of UTF-8. */
    static final int MAX_BYTES = 255;

    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it has another place or a lone brace, or if its text alone is too long
     */
    RoutingKey {
        String text = PLACE.matcher(pattern).replaceAll(RoutingKey::known);
        if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
            throw new IllegalArgumentException("must have a } for each {: only {topic} and {subtopic} stand in braces");
        }
        if (bytes(text) > MAX_BYTES) {
            throw new IllegalArgumentException("must have at most " + MAX_BYTES + " bytes of UTF-8");
        }
    }

    private static String known(MatchResult place) {
        String name = place.group(1);
        if (!name.equals("topic") && !name.equals("subtopic")) {
            throw new IllegalArgumentException("must have no other places than {topic} and {subtopic}");
        }
        return "";
    }

    /** The routing key of this message. */
    String of(DelayMessage message) {
        return PLACE.matcher(pattern)
                .replaceAll(place -> Matcher.quoteReplacement(
                        place.group(1).equals("topic") ? message.topic() : message.subtopic()));
    }

    /** The bytes of UTF-8. */
    static int bytes(String text) {
        return text.getBytes(UTF_8).length;
    }
}
