package io.mykit.delay.channel.rocketmq;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.message.DelayMessage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.topic.TopicValidator;

/**
 * A message as RocketMQ stores it: a slash in the topic as %, subtopic as tag, body as its bytes or in UTF-8, and properties by
 * {@link HeaderProperties}.
 *
 * <p>Keys are separated by a space on the wire, so the broker finds an id that has a space by each of its words. The
 * property {@code id} holds the whole id.
 *
 * @param inNamespace turns a topic into the name that the broker uses
 */
record MessageMapping(UnaryOperator<String> inNamespace) {
    private static final int MAX_TOPIC = 127;
    /** An upper bound of the bytes that the broker stores besides body, properties and topic. */
    private static final long FRAME_BYTES = 128;
    /** Client and broker add properties of their own to those of the bridge: unique key, wait flag, cluster, trace. */
    private static final int MAX_PROPERTY_BYTES = Short.MAX_VALUE - 1024;

    /** An upper bound of the bytes of names, separators, due time and wait flag. */
    private static final int PROPERTY_FRAME_BYTES = 128;

    Message toMessage(DelayMessage message) {
        Message mapped = new Message(nameAtBroker(message.topic()), message.bodyBytes());
        if (!message.subtopic().isBlank()) {
            mapped.setTags(message.subtopic());
        }
        HeaderProperties.put(message, mapped);
        return mapped;
    }

    String nameAtBroker(String topic) {
        return inNamespace.apply(named(topic));
    }

    /** RocketMQ forbids the slash in topics; its clients separate a namespace from a topic with %. */
    private static String named(String topic) {
        return topic.replace('/', '%');
    }

    /** The bytes that this message adds to a batch, as the broker counts them. */
    long bytes(DelayMessage message) {
        Message mapped = toMessage(message);
        return mapped.getBody().length
                + propertyBytes(mapped)
                + mapped.getTopic().length()
                + FRAME_BYTES;
    }

    /** The reason why RocketMQ would never accept this message; empty if there is none. */
    Optional<String> objection(DelayMessage message) {
        String topic = named(message.topic());
        int namespace = inNamespace.apply(topic).length() - topic.length();
        if (topic.length() + namespace > MAX_TOPIC) {
            String room = namespace == 0 ? "" : ", " + namespace + " of them for the namespace";
            return Optional.of("RocketMQ topics have at most " + MAX_TOPIC + " characters" + room);
        }
        if (!isTopic(topic)) {
            return Optional.of("RocketMQ topics consist of letters, digits and / % | _ - only");
        }
        if (isReserved(topic)) {
            return Optional.of("RocketMQ reserves the topic " + topic + " for its own use");
        }
        if (message.id().isBlank()) {
            return Optional.of("RocketMQ cannot carry a blank id");
        }
        if (message.subtopic().contains("||")) {
            return Optional.of("a RocketMQ tag (subtopic) must not contain ||, which separates tags in a subscription");
        }
        if (HeaderProperties.hasSeparator(message.id())
                || HeaderProperties.hasSeparator(message.subtopic())
                || HeaderProperties.hasSeparator(message.bizKey())) {
            return Optional.of("RocketMQ cannot carry U+0001 and U+0002 in id, subtopic and bizKey");
        }
        if (message.body().isEmpty()) {
            return Optional.of("RocketMQ cannot carry an empty body");
        }
        Optional<String> ofHeaders = HeaderProperties.objection(message);
        if (ofHeaders.isPresent()) {
            return ofHeaders;
        }
        return fitsForSure(message) ? Optional.empty() : sizeObjection(toMessage(message));
    }

    /**
     * Whether the lengths alone show that no limit is exceeded: a UTF-16 unit takes at most three bytes. Nearly every
     * message passes here, and every push runs this check.
     */
    private static boolean fitsForSure(DelayMessage message) {
        // The id counts twice: as key and as property.
        long properties = 2L * message.id().length()
                + message.subtopic().length()
                + message.bizKey().length();
        // Headers, and one for the two separators of each. A target counts too; it makes the bound larger, not wrong.
        properties += message.characters()
                - message.body().length()
                + message.extras().headers().size();
        return 3L * message.body().length() <= LazyProducer.MAX_MESSAGE_BYTES
                && 3 * properties + PROPERTY_FRAME_BYTES <= MAX_PROPERTY_BYTES;
    }

    private static Optional<String> sizeObjection(Message mapped) {
        if (mapped.getBody().length > LazyProducer.MAX_MESSAGE_BYTES) {
            return Optional.of("RocketMQ bodies have at most " + LazyProducer.MAX_MESSAGE_BYTES + " bytes");
        }
        if (propertyBytes(mapped) > MAX_PROPERTY_BYTES) {
            return Optional.of("id, subtopic, bizKey and headers together exceed the " + MAX_PROPERTY_BYTES
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

    private static int propertyBytes(Message mapped) {
        return MessageDecoder.messageProperties2String(mapped.getProperties()).getBytes(UTF_8).length;
    }
}
