package io.mykit.delay.channel.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.topic.TopicValidator;

/**
 * What a message looks like over there: subtopic as tag, id and business key as keys, user properties {@code id} and
 * {@code dueTime} (epoch milliseconds), body in UTF-8.
 *
 * <p>Keys are separated by a space on the wire, so an id with a space in it is found on the broker by its words; the
 * property {@code id} is always whole.
 *
 * @param inNamespace the name that the broker knows a topic by
 */
record MessageMapping(UnaryOperator<String> inNamespace) {
    static final String ID = "id";
    static final String DUE_TIME = "dueTime";

    private static final int MAX_TOPIC = 127;
    /** Everything that the broker stores besides body, properties and topic, with room to spare. */
    private static final long FRAME_BYTES = 128;
    /** Client and broker add their own to what we set: unique key, wait flag, cluster, trace. */
    private static final int MAX_PROPERTY_BYTES = Short.MAX_VALUE - 1024;

    /** Names, separators, due time and wait flag, with room to spare. */
    private static final int PROPERTY_FRAME_BYTES = 128;

    Message toMessage(DelayMessage message) {
        Message mapped =
                new Message(inNamespace.apply(message.topic()), message.body().getBytes(UTF_8));
        if (!message.subtopic().isBlank()) {
            mapped.setTags(message.subtopic());
        }
        List<String> keys = new ArrayList<>(List.of(message.id()));
        if (!message.bizKey().isBlank()) {
            keys.add(message.bizKey());
        }
        mapped.setKeys(keys);
        mapped.putUserProperty(ID, message.id());
        mapped.putUserProperty(DUE_TIME, Long.toString(message.dueTimeMs()));
        return mapped;
    }

    /** How much of a batch this message takes, at the broker's end. */
    long bytes(DelayMessage message) {
        Message mapped = toMessage(message);
        return mapped.getBody().length
                + propertyBytes(mapped)
                + mapped.getTopic().length()
                + FRAME_BYTES;
    }

    /** Why RocketMQ would never take this message. */
    Optional<String> objection(DelayMessage message) {
        String topic = message.topic();
        int namespace = inNamespace.apply(topic).length() - topic.length();
        if (topic.length() + namespace > MAX_TOPIC) {
            String room = namespace == 0 ? "" : ", " + namespace + " of them for the namespace";
            return Optional.of("RocketMQ topics have at most " + MAX_TOPIC + " characters" + room);
        }
        if (!isTopic(topic)) {
            return Optional.of("RocketMQ topics consist of letters, digits and % | _ - only");
        }
        if (isReserved(topic)) {
            return Optional.of("RocketMQ keeps the topic " + topic + " for itself");
        }
        if (message.id().isBlank()) {
            return Optional.of("RocketMQ carries no blank id");
        }
        if (message.subtopic().contains("||")) {
            return Optional.of("a RocketMQ tag (subtopic) must not contain ||, which separates tags in a subscription");
        }
        if (hasSeparator(message.id()) || hasSeparator(message.subtopic()) || hasSeparator(message.bizKey())) {
            return Optional.of("RocketMQ carries no U+0001 and U+0002 in id, subtopic and bizKey");
        }
        if (message.body().isEmpty()) {
            return Optional.of("RocketMQ carries no empty body");
        }
        return fitsForSure(message) ? Optional.empty() : sizeObjection(toMessage(message));
    }

    /**
     * Whether the lengths alone tell that nothing is too large: no UTF-16 unit takes more than three bytes. So it is with
     * nearly every message, and every push asks.
     */
    private static boolean fitsForSure(DelayMessage message) {
        // The id is there twice, as key and as property.
        long properties = 2L * message.id().length()
                + message.subtopic().length()
                + message.bizKey().length();
        return 3L * message.body().length() <= LazyProducer.MAX_MESSAGE_BYTES
                && 3 * properties + PROPERTY_FRAME_BYTES <= MAX_PROPERTY_BYTES;
    }

    private static Optional<String> sizeObjection(Message mapped) {
        if (mapped.getBody().length > LazyProducer.MAX_MESSAGE_BYTES) {
            return Optional.of("RocketMQ bodies have at most " + LazyProducer.MAX_MESSAGE_BYTES + " bytes");
        }
        if (propertyBytes(mapped) > MAX_PROPERTY_BYTES) {
            return Optional.of("id, subtopic and bizKey together exceed the " + MAX_PROPERTY_BYTES
                    + " bytes that RocketMQ has for properties");
        }
        return Optional.empty();
    }

    private static boolean isTopic(String topic) {
        for (int i = 0; i < topic.length(); i++) {
            char c = topic.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean digit = c >= '0' && c <= '9';
            if (!letter && !digit && c != '%' && c != '|' && c != '_' && c != '-') {
                return false;
            }
        }
        return !topic.isEmpty();
    }

    private static boolean isReserved(String topic) {
        return TopicValidator.isSystemTopic(topic)
                || TopicValidator.isNotAllowedSendTopic(topic)
                || topic.startsWith("%RETRY%")
                || topic.startsWith("%DLQ%")
                || topic.startsWith("%LMQ%");
    }

    private static boolean hasSeparator(String value) {
        return value.indexOf(MessageDecoder.NAME_VALUE_SEPARATOR) >= 0
                || value.indexOf(MessageDecoder.PROPERTY_SEPARATOR) >= 0;
    }

    private static int propertyBytes(Message mapped) {
        return MessageDecoder.messageProperties2String(mapped.getProperties()).getBytes(UTF_8).length;
    }
}
