package io.mykit.delay.common.message;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A message that has to arrive on its topic at its due time.
 *
 * <p>Immutable. No component is null; a text that the producer left out is the empty string.
 *
 * @param id unique; given by the producer or by {@link MessageIds}
 * @param topic the destination at the broker
 * @param subtopic a finer address inside the topic (RocketMQ tag, ActiveMQ property)
 * @param bizKey the producer's own business key, searchable on the broker
 * @param body the content for the consumer; {@link MessageExtras#binary} tells whether it is a text or bytes
 * @param delayMs milliseconds between creation and the due time that the producer asked for. An operator who moves the due time
 *     leaves it as it is, so a repeated push is still known
 * @param createTimeMs epoch milliseconds
 * @param dueTimeMs epoch milliseconds; the next attempt is never before it. A failed attempt moves it, see {@link
 *     #firstDueMs}
 * @param priority 0 (low) to {@value MessageLimits#MAX_PRIORITY} (high); breaks ties inside one millisecond
 * @param ttlSeconds the time after the first due time in which the message may still be delivered; 0 = no limit
 * @param version the number of changes of content or due time; 0 after the first push. The stores raise it and compare
 *     their copies of a message by it
 * @param extras the parts that few messages have
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
        int version,
        MessageExtras extras) {

    public DelayMessage {
        requireNonNull(id, "id");
        requireNonNull(topic, "topic");
        requireNonNull(subtopic, "subtopic");
        requireNonNull(bizKey, "bizKey");
        requireNonNull(body, "body");
        requireNonNull(extras, "extras");
    }

    /** A message without extras. */
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
            long ttlSeconds,
            int version) {
        this(
                id,
                topic,
                subtopic,
                bizKey,
                body,
                delayMs,
                createTimeMs,
                dueTimeMs,
                priority,
                ttlSeconds,
                version,
                MessageExtras.NONE);
    }

    /** A message of a first push, with version 0 and without extras. */
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

    /** The due time that the producer asked for, epoch milliseconds: retries do not move it. */
    public long firstDueMs() {
        return extras.firstDueMs() == 0 ? dueTimeMs : extras.firstDueMs();
    }

    /**
     * The content for the consumer as bytes: a text as UTF-8.
     *
     * @throws IllegalArgumentException if the body of a binary message is no Base64
     */
    public byte[] bodyBytes() {
        return extras.binary() ? Base64.getDecoder().decode(body) : body.getBytes(StandardCharsets.UTF_8);
    }

    /** The characters of body and extras, for the bounds of what is in memory together. */
    public long characters() {
        return body.length() + extras.characters();
    }

    /** Whether the ttl ended before {@code nowMs} (epoch milliseconds). */
    public boolean isExpired(long nowMs) {
        // nowMs > firstDueMs + ttlSeconds * 1000, written so that no ttl overflows.
        return ttlSeconds > 0 && Math.floorDiv(nowMs - firstDueMs() - 1, 1000) >= ttlSeconds;
    }

    /**
     * Whether this push has the same content as the message that has its id. Then the push is a retry and not a conflict. The two
     * have different creation times, so either the delay or the due time has to be equal. A due time that an operator has moved does
     * not count alone: the message keeps the one that its producer asked for as creation time and delay.
     */
    public boolean sameContent(DelayMessage other) {
        return topic.equals(other.topic)
                && subtopic.equals(other.subtopic)
                && bizKey.equals(other.bizKey)
                && body.equals(other.body)
                && priority == other.priority
                && ttlSeconds == other.ttlSeconds
                && extras.sameContent(other.extras)
                && (delayMs == other.delayMs
                        || firstDueMs() == other.firstDueMs()
                        || firstDueMs() == other.createTimeMs + other.delayMs);
    }

    /** The same message with another due time that its producer did not ask for: the count of retries begins anew. */
    public DelayMessage dueAt(long newDueTimeMs) {
        return with(newDueTimeMs, body, version, extras.withFirstDue(0));
    }

    /** The same message with the time of its next attempt as its due time. The first due time stays known. */
    public DelayMessage retriedAt(long nextAttemptMs) {
        return with(nextAttemptMs, body, version, extras.withFirstDue(firstDueMs()));
    }

    /** The same content as another version. */
    public DelayMessage asVersion(int newVersion) {
        return with(dueTimeMs, body, newVersion, extras);
    }

    /** The same message with another body. */
    public DelayMessage withBody(String newBody) {
        return with(dueTimeMs, newBody, version, extras);
    }

    /** The same message with another ttl. */
    public DelayMessage withTtl(long newTtlSeconds) {
        if (newTtlSeconds == ttlSeconds) {
            return this;
        }
        return with(id, topic, dueTimeMs, body, newTtlSeconds, version, extras);
    }

    /** The same message, which knows the idempotency keys of the message that it replaces. */
    public DelayMessage replacing(DelayMessage old) {
        return withExtras(extras.withEarlierKeys(old.extras.idempotencyKeys()));
    }

    /** The same message with other extras. */
    public DelayMessage withExtras(MessageExtras newExtras) {
        return with(dueTimeMs, body, version, newExtras);
    }

    /** The same message under other names. */
    public DelayMessage named(String newId, String newTopic) {
        return with(newId, newTopic, dueTimeMs, body, ttlSeconds, version, extras);
    }

    private DelayMessage with(long newDueTimeMs, String newBody, int newVersion, MessageExtras newExtras) {
        return with(id, topic, newDueTimeMs, newBody, ttlSeconds, newVersion, newExtras);
    }

    private DelayMessage with(
            String newId,
            String newTopic,
            long newDueTimeMs,
            String newBody,
            long newTtlSeconds,
            int newVersion,
            MessageExtras newExtras) {
        return new DelayMessage(
                newId,
                newTopic,
                subtopic,
                bizKey,
                newBody,
                delayMs,
                createTimeMs,
                newDueTimeMs,
                priority,
                newTtlSeconds,
                newVersion,
                newExtras);
    }

    /** Leaves the body out: it is the producer's data and must not appear in logs. */
    @Override
    public String toString() {
        return "DelayMessage[id=" + id + ", version=" + version + ", topic=" + topic + ", dueTimeMs=" + dueTimeMs + "]";
    }
}
