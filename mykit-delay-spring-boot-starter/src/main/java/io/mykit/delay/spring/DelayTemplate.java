package io.mykit.delay.spring;

import io.mykit.delay.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Sends messages that arrive later. Thread-safe.
 *
 * <pre>{@code
 * String id = template.send("orders", order, Duration.ofMinutes(30));
 * template.send("orders", order, Duration.ofMinutes(30), message -> message.ttl(Duration.ofHours(1)).bizKey("4711"));
 * }</pre>
 *
 * <p>Without a transaction the message is stored by the server when the call returns. Inside an active transaction it is
 * pushed after the commit, and not at all after a rollback. If the process ends between the commit and the push, or if no
 * server can be reached then, the message is lost although the transaction is committed; in the second case the commit
 * throws. Push with a {@code DelayClient} instead where a message without its transaction does less harm.
 */
public class DelayTemplate {
    private final PayloadFormat format;
    private final Consumer<Message> sender;

    /** @param sender pushes a message, at once or later */
    public DelayTemplate(PayloadFormat format, Consumer<Message> sender) {
        this.format = format;
        this.sender = sender;
    }

    /** See {@link #send(String, Object, Duration, Consumer)}. */
    public String send(String topic, Object payload, Duration delay) {
        return send(topic, payload, delay, message -> {});
    }

    /** See {@link #send(String, Object, Instant, Consumer)}. */
    public String send(String topic, Object payload, Instant dueTime) {
        return send(topic, payload, dueTime, message -> {});
    }

    /**
     * @param payload a String or byte[] goes as it is, any other object as JSON
     * @param delay counts from the push; inside a transaction from the commit
     * @param options all other fields of the message
     * @return the id of the message, to find it or to cancel it
     */
    public String send(String topic, Object payload, Duration delay, Consumer<Message.Builder> options) {
        return send(Message.builder(topic).delay(delay), payload, options);
    }

    /** The same, due at this time. */
    public String send(String topic, Object payload, Instant dueTime, Consumer<Message.Builder> options) {
        return send(Message.builder(topic).at(dueTime), payload, options);
    }

    private String send(Message.Builder builder, Object payload, Consumer<Message.Builder> options) {
        Objects.requireNonNull(payload, "payload");
        if (payload instanceof String text) {
            builder.body(text);
        } else if (payload instanceof byte[] bytes) {
            builder.body(bytes);
        } else {
            builder.body(format.write(payload));
        }
        options.accept(builder);
        Message message = builder.build();
        sender.accept(message);
        return message.id();
    }
}
