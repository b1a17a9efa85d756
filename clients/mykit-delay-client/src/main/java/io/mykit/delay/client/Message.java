package io.mykit.delay.client;

import io.mykit.delay.client.json.JsonException;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import io.mykit.delay.client.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A message to push. It has its id from the begin, so each push of it is one and the same message: a second push of it is a
 * retry, and delivers nothing twice. Immutable.
 *
 * <pre>{@code
 * Message message = Message.builder("orders").body("order 4711 was not paid").delay(Duration.ofMinutes(30)).build();
 * }</pre>
 */
public final class Message {
    private final String id;
    private final String topic;
    private final String bizKey;
    private final String json;

    private Message(Map<String, Object> fields) {
        this.id = (String) fields.get("id");
        this.topic = (String) fields.get("topic");
        this.bizKey = (String) fields.get("bizKey");
        this.json = JsonWriter.write(fields);
    }

    /** @param topic on which the message arrives */
    public static Builder builder(String topic) {
        return new Builder(topic);
    }

    /**
     * The id that was given, or else a generated one of 20 characters. That of a topic such as {@code shop/orders} has the first part of
     * the topic before it, {@code shop/06H...}, so message and topic are in one namespace.
     */
    public String id() {
        return id;
    }

    public String topic() {
        return topic;
    }

    /** Empty = none. */
    public String bizKey() {
        return bizKey == null ? "" : bizKey;
    }

    /** This message with all its fields as a JSON object, to keep it until it is pushed. */
    public String toJson() {
        return json;
    }

    /**
     * The message that {@link #toJson} wrote. A delay counts from the given time, so each push of it is due at the same time.
     *
     * @param createTime of the message
     * @throws IllegalArgumentException if the text is no such object
     */
    public static Message ofJson(String json, Instant createTime) {
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            Object read = JsonReader.read(json);
            JsonObject message = JsonObject.of(read);
            ((Map<?, ?>) read).forEach((name, value) -> fields.put((String) name, value));
            fields.put("id", message.text("id"));
            fields.put("topic", message.text("topic"));
            fields.put("bizKey", message.optionalText("bizKey").orElse(null));
            fields.values().removeIf(Objects::isNull);
            fields.put("createTime", createTime.toEpochMilli());
            return new Message(fields);
        } catch (JsonException e) {
            throw new IllegalArgumentException("not the JSON of a message: " + e.getMessage(), e);
        }
    }

    /** The push of this message, with the time for which it waits for the end of the message. */
    String json(Duration wait) {
        // The object has fields: at least the id and the topic.
        return json.substring(0, json.length() - 1) + ",\"wait\":" + wait.toMillis() + "}";
    }

    @Override
    public String toString() {
        return "message " + id + " of " + topic;
    }

    /** The fields of a message. The server checks the values. Not thread-safe. */
    public static final class Builder {
        private static final String IDEMPOTENCY_KEY = "idempotencyKey";

        private final Map<String, Object> fields = new LinkedHashMap<>();

        private Builder(String topic) {
            fields.put("topic", topic);
        }

        /** An id of your own, instead of a generated one. With a topic in a namespace it begins with the namespace, too. */
        public Builder id(String id) {
            return with("id", id);
        }

        /** The text for the consumer. */
        public Builder body(String text) {
            fields.remove("bodyBase64");
            return with("body", text);
        }

        /** The bytes for the consumer. */
        public Builder body(byte[] bytes) {
            fields.remove("body");
            return with("bodyBase64", Base64.getEncoder().encodeToString(bytes));
        }

        /** The message is due so long after the server has taken it. */
        public Builder delay(Duration delay) {
            fields.remove("triggerAt");
            return with("delay", delay.toMillis());
        }

        /** The message is due at this time. */
        public Builder at(Instant dueTime) {
            fields.remove("delay");
            return with("triggerAt", dueTime.toEpochMilli());
        }

        /** The time after the due time during which a delivery is still worth while; parts of a second count as a second. */
        public Builder ttl(Duration ttl) {
            return with("ttl", ttl.plusSeconds(1).minusNanos(1).toSeconds());
        }

        /** 0 to 9. The higher one goes first among messages of a topic that are due in the same millisecond. */
        public Builder priority(int priority) {
            return with("priority", priority);
        }

        /** The tag of RocketMQ, a property of ActiveMQ, a header of Kafka, the type of RabbitMQ. */
        public Builder subtopic(String subtopic) {
            return with("subtopic", subtopic);
        }

        /** The key of RocketMQ, a property of ActiveMQ, the key and a header of Kafka, the correlation id of RabbitMQ. */
        public Builder bizKey(String bizKey) {
            return with("bizKey", bizKey);
        }

        /** Texts that go along to the consumer. */
        public Builder headers(Map<String, String> headers) {
            return with("headers", Map.copyOf(headers));
        }

        /** The retry policy of this message alone. */
        public Builder retry(RetryPolicy policy) {
            return with("retry", policy.fields());
        }

        /** The time for which a consumer that pulls may hold the message, if the consumer itself gives none. */
        public Builder ttr(Duration ttr) {
            return with("ttr", ttr.toMillis());
        }

        /** The destination of this message alone, such as {@code Map.of("url", "https://shop.example.com/hook")}. */
        public Builder target(Map<String, String> target) {
            return with("target", Map.copyOf(target));
        }

        /**
         * A unary call as the destination of this message alone, for a topic of the channel {@code grpc}. The body is the request message.
         *
         * @param host {@code 10.0.0.7:9090}; {@code grpcs://host:port} with TLS; {@code service://name}
         * @param service the full name, such as {@code shop.Orders}
         */
        public Builder grpcTarget(String host, String service, String method) {
            return target(Map.of("host", host, "service", service, "method", method));
        }

        /**
         * If a message with this id exists on this topic and is not yet due, it gets the new content and the new due time. If it has
         * ended, it begins again. So build a message for each heartbeat or each change: the same object pushed twice is a retry.
         */
        public Builder replace() {
            return with("replace", true);
        }

        /**
         * The key by which the server tells a repeated push with {@link #replace} from a new one. Each message has a generated key of
         * its own. An application needs its own key only if it repeats the push with another object, after a restart for example.
         *
         * @param key 1 to 64 characters of printable ASCII without spaces
         */
        public Builder idempotencyKey(String key) {
            return with(IDEMPOTENCY_KEY, key);
        }

        /**
         * Each call builds another message: with another generated id if none was given, and with {@link #replace} with another
         * generated key if none was given.
         */
        public Message build() {
            Map<String, Object> all = new LinkedHashMap<>(fields);
            all.computeIfAbsent("id", any -> MessageIds.generate((String) fields.get("topic")));
            if (all.containsKey("replace")) {
                all.computeIfAbsent(IDEMPOTENCY_KEY, any -> MessageIds.generate());
            }
            return new Message(all);
        }

        private Builder with(String name, Object value) {
            fields.put(name, value);
            return this;
        }
    }
}
