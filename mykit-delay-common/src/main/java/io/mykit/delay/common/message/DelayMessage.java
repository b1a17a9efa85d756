package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

/**
 * A message that has to arrive on its topic at its due time.
 *
 * <p>Immutable. No component is null; a text that the producer left out is the empty string.
 *
 * @param id unique; given by the producer or by {@link MessageIds}
 * @param topic the destination at the broker
 * @param subtopic a finer address inside the topic (RocketMQ tag, ActiveMQ property)
 * @param bizKey the producer's own business key, searchable on the broker
 * @param body the content for the consumer
 * @param delayMs milliseconds between creation and due time
 * @param createTimeMs epoch milliseconds
 * @param dueTimeMs epoch milliseconds; the message is never delivered before it
 * @param priority 0 (low) to {@value MessageLimits#MAX_PRIORITY} (high); breaks ties inside one millisecond
 * @param ttlSeconds the time after the due time in which the message may still be delivered; 0 = no limit
 * @param version the number of changes of content or due time; 0 after the first push. The stores raise it and compare
 *     their copies of a message by it
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

    /** A message of a first push, with version 0. */
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

    /** Whether the ttl ended before {@code nowMs} (epoch milliseconds). */
    public boolean isExpired(long nowMs) {
        // nowMs > dueTimeMs + ttlSeconds * 1000, written so that no ttl overflows.
        return ttlSeconds > 0 && Math.floorDiv(nowMs - dueTimeMs - 1, 1000) >= ttlSeconds;
    }

    /**
     * Whether a second push of the same id has the same content. Then the push is a retry and not a conflict. The two have
     * different creation times, so either the delay or the due time has to be equal.
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

    /** Leaves the body out: it is the producer's data and must not appear in logs. */
    @Override
    public String toString() {
        return "DelayMessage[id=" + id + ", version=" + version + ", topic=" + topic + ", dueTimeMs=" + dueTimeMs + "]";
    }
}
