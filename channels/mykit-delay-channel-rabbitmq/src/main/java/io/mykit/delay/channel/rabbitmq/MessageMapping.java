package io.mykit.delay.channel.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A message as a broker of AMQP 0-9-1 gets it: persistent, the body as its bytes or in UTF-8, and in the headers table {@code id},
 * {@code topic}, {@code subtopic}, {@code bizKey} (strings, present also when empty) and {@code dueTime} (long, epoch milliseconds)
 * beside the message's own headers.
 *
 * <p>The content-type is the header of that name, in any case; without one, JSON for a text that begins with { or [, as that of callbacks.
 *
 * <p>The properties message-id (id), type (subtopic) and correlation-id (bizKey) hold at most 255 bytes. A longer value is in the
 * headers table alone. The timestamp is the due time in seconds.
 *
 * @param exchanges the exchange of each topic; empty = the default exchange
 * @param routingKeys the routing key of each topic
 */
record MessageMapping(TopicValues<String> exchanges, TopicValues<RoutingKey> routingKeys) {
    static final String ID = "id";
    private static final String TOPIC = "topic";
    private static final String SUBTOPIC = "subtopic";
    private static final String BIZ_KEY = "bizKey";
    private static final String DUE_TIME = "dueTime";
    private static final Set<String> OWN = Set.of(ID, TOPIC, SUBTOPIC, BIZ_KEY, DUE_TIME);

    /** RabbitMQ takes further routing keys from them, as lists, and closes the channel at a text. */
    private static final Set<String> OF_BROKER = Set.of("CC", "BCC");

    private static final String CONTENT_TYPE = "content-type";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String BYTES = "application/octet-stream";
    private static final int PERSISTENT = 2;
    private static final RoutingKey BY_TOPIC = new RoutingKey("{topic}");

    String exchange(String topic) {
        return exchanges.find(topic).orElse("");
    }

    String routingKey(DelayMessage message) {
        return routingKeys.find(message.topic()).orElse(BY_TOPIC).of(message);
    }

    static BasicProperties properties(DelayMessage message) {
        return new BasicProperties.Builder()
                .messageId(fitting(message.id()))
                .type(fitting(message.subtopic()))
                .correlationId(fitting(message.bizKey()))
                .timestamp(Date.from(Instant.ofEpochMilli(message.firstDueMs())))
                .priority(message.priority())
                .deliveryMode(PERSISTENT)
                .contentType(contentType(message))
                .headers(headers(message))
                .build();
    }

    private static Map<String, Object> headers(DelayMessage message) {
        Map<String, Object> headers = new HashMap<>(message.extras().headers());
        headers.put(ID, message.id());
        headers.put(TOPIC, message.topic());
        headers.put(SUBTOPIC, message.subtopic());
        headers.put(BIZ_KEY, message.bizKey());
        headers.put(DUE_TIME, message.firstDueMs());
        return headers;
    }

    private static String contentType(DelayMessage message) {
        String given = message.extras().headers().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(CONTENT_TYPE))
                .findFirst()
                .map(header -> fitting(header.getValue()))
                .orElse(null);
        if (given != null) {
            return given;
        }
        if (message.extras().binary()) {
            return BYTES;
        }
        boolean json = message.body().startsWith("{") || message.body().startsWith("[");
        return json ? JSON : TEXT;
    }

    /** The value if it fits into a property; null leaves the property out. */
    private static String fitting(String value) {
        return value.isEmpty() || RoutingKey.bytes(value) > RoutingKey.MAX_BYTES ? null : value;
    }

    /** The reason why no broker of AMQP 0-9-1 would take this message; empty if there is none. */
    Optional<String> objection(DelayMessage message) {
        int bytes = RoutingKey.bytes(routingKey(message));
        if (bytes > RoutingKey.MAX_BYTES) {
            return Optional.of("a routing key of RabbitMQ has at most " + RoutingKey.MAX_BYTES
                    + " bytes of UTF-8; that of this message has " + bytes);
        }
        for (String name : message.extras().headers().keySet()) {
            if (RoutingKey.bytes(name) > RoutingKey.MAX_BYTES) {
                return Optional.of("headers has a name of more than " + RoutingKey.MAX_BYTES
                        + " bytes of UTF-8, the limit of RabbitMQ: " + name);
            }
            if (OWN.contains(name)) {
                return Optional.of("headers." + name + " is reserved: RabbitMQ messages have a header " + name);
            }
            if (OF_BROKER.contains(name)) {
                return Optional.of(
                        "headers." + name + " is reserved: RabbitMQ reads routing keys from a header " + name);
            }
        }
        return Optional.empty();
    }
}
