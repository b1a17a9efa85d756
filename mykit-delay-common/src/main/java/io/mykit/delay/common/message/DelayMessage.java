package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

/**
 * A message that is to arrive on a queue at its due time.
 *
 * <p>Immutable. No component is ever null; what the producer left out is the empty string.
 *
 * @param id unique; given by the producer or by {@link MessageIds}
 * @param topic where it goes on the broker
 * @param subtopic a finer address inside the topic (RocketMQ tag, ActiveMQ property)
 * @param bizKey the producer's own business key, searchable on the broker
 * @param body what the consumer gets
 * @param delayMs milliseconds between creation and due time
 * @param createTimeMs epoch milliseconds
 * @param dueTimeMs epoch milliseconds; the message is never delivered before it
 * @param priority 0 (low) to {@value MessageLimits#MAX_PRIORITY} (high); breaks ties inside one millisecond
 * @param ttlSeconds how long after the due time delivery is still worth while; 0 = for ever
 * @param version how often the message was given new content or a new due time; 0 as first pushed. The stores raise it, and
 *     compare their copies of a message by it
 */
public record DelayMessage(
        String id,
        String topic,
        String subtopic,
        String bizKey,
        String body,
        long delayMs,
        long createTimeMs,
        long dueTimeMs,
        int priority,
        long ttlSeconds,
        int version) {

    public DelayMessage {
        requireNonNull(id, "id");
        requireNonNull(topic, "topic");
        requireNonNull(subtopic, "subtopic");
        requireNonNull(bizKey, "bizKey");
        requireNonNull(body, "body");
    }

    /** A message as first pushed. */
    public DelayMessage(
            String id,
            String topic,
            String subtopic,
            String bizKey,
            String body,
            long delayMs,
            long createTimeMs,
            long dueTimeMs,
            int priority,
            long ttlSeconds) {
        this(id, topic, subtopic, bizKey, body, delayMs, createTimeMs, dueTimeMs, priority, ttlSeconds, 0);
    }

    public MessageRef ref() {
        return new MessageRef(id, version);
    }

    /** Whether the ttl ran out before {@code nowMs} (epoch milliseconds). */
    public boolean isExpired(long nowMs) {
        // nowMs > dueTimeMs + ttlSeconds * 1000, for any ttl without overflow.
        return ttlSeconds > 0 && Math.floorDiv(nowMs - dueTimeMs - 1, 1000) >= ttlSeconds;
    }

    /**
     * Whether a second push of the same id asks for the same thing: then it is a retry and not a conflict. The creation
     * time differs between the two, so either the delay or the due time has to agree.
     */
    public boolean sameContent(DelayMessage other) {
        return topic.equals(other.topic)
                && subtopic.equals(other.subtopic)
                && bizKey.equals(other.bizKey)
                && body.equals(other.body)
                && priority == other.priority
                && ttlSeconds == other.ttlSeconds
                && (delayMs == other.delayMs || dueTimeMs == other.dueTimeMs);
    }

    /** The same message with another due time. */
    public DelayMessage dueAt(long newDueTimeMs) {
        return new DelayMessage(
                id,
                topic,
                subtopic,
                bizKey,
                body,
                newDueTimeMs - createTimeMs,
                createTimeMs,
                newDueTimeMs,
                priority,
                ttlSeconds,
                version);
    }

    /** The same content as another version. */
    public DelayMessage asVersion(int newVersion) {
        return new DelayMessage(
                id, topic, subtopic, bizKey, body, delayMs, createTimeMs, dueTimeMs, priority, ttlSeconds, newVersion);
    }

    /** The same message with another body. */
    public DelayMessage withBody(String newBody) {
        return new DelayMessage(
                id, topic, subtopic, bizKey, newBody, delayMs, createTimeMs, dueTimeMs, priority, ttlSeconds, version);
    }

    /** Without the body: it belongs to the producer and not into logs. */
    @Override
    public String toString() {
        return "DelayMessage[id=" + id + ", version=" + version + ", topic=" + topic + ", dueTimeMs=" + dueTimeMs + "]";
    }
}
