package io.mykit.delay.test.message;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;

/**
 * Builds a message of which a test names only what it is about. A text that is not named is empty, a number is 0, the topic is {@code t}.
 *
 * <p>The times hang together: the due time is the creation time and the delay, unless {@link #due} names it; and the delay is the time from
 * the creation to the due time, unless {@link #delay} names it. Not thread-safe.
 */
public final class MessageBuilder {
    private final String id;
    private String topic = "t";
    private String subtopic = "";
    private String bizKey = "";
    private String body = "";
    private long createTimeMs;
    private Long delayMs;
    private Long dueTimeMs;
    private int priority;
    private long ttlSeconds;
    private int version;
    private MessageExtras extras = MessageExtras.NONE;

    private MessageBuilder(String id) {
        this.id = id;
    }

    public static MessageBuilder withId(String id) {
        return new MessageBuilder(id);
    }

    public MessageBuilder topic(String topic) {
        this.topic = topic;
        return this;
    }

    public MessageBuilder subtopic(String subtopic) {
        this.subtopic = subtopic;
        return this;
    }

    public MessageBuilder bizKey(String bizKey) {
        this.bizKey = bizKey;
        return this;
    }

    public MessageBuilder body(String body) {
        this.body = body;
        return this;
    }

    /** In epoch milliseconds. */
    public MessageBuilder created(long createTimeMs) {
        this.createTimeMs = createTimeMs;
        return this;
    }

    /** What the producer asked for, in milliseconds. */
    public MessageBuilder delay(long delayMs) {
        this.delayMs = delayMs;
        return this;
    }

    /** In epoch milliseconds. */
    public MessageBuilder due(long dueTimeMs) {
        this.dueTimeMs = dueTimeMs;
        return this;
    }

    public MessageBuilder priority(int priority) {
        this.priority = priority;
        return this;
    }

    public MessageBuilder ttl(long ttlSeconds) {
        this.ttlSeconds = ttlSeconds;
        return this;
    }

    public MessageBuilder version(int version) {
        this.version = version;
        return this;
    }

    public MessageBuilder extras(MessageExtras extras) {
        this.extras = extras;
        return this;
    }

    public DelayMessage build() {
        return new DelayMessage(
                id, topic, subtopic, bizKey, body, delay(), createTimeMs, due(), priority, ttlSeconds, version, extras);
    }

    private long delay() {
        if (delayMs != null) {
            return delayMs;
        }
        return dueTimeMs == null ? 0 : dueTimeMs - createTimeMs;
    }

    private long due() {
        return dueTimeMs == null ? createTimeMs + delay() : dueTimeMs;
    }
}
