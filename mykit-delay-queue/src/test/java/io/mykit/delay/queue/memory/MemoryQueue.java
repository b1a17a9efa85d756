package io.mykit.delay.queue.memory;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Both stores of a queue in memory, on a clock that a test sets. */
public final class MemoryQueue {
    public static final String TOPIC = "t";
    public static final int BUCKETS = 4;

    private final AtomicLong nowMs = new AtomicLong(1_700_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final MemoryBuckets buckets = new MemoryBuckets(BUCKETS);
    private final MessageIndex index = otherNode();
    private final Horizon horizon;
    private final Scheduling scheduling;

    /** @param span as in {@link Horizon} */
    public MemoryQueue(Duration span) {
        horizon = new Horizon(span);
        scheduling = new Scheduling(
                store, index, clock, horizon, topic -> false, new ScheduleMeters(index, new SimpleMeterRegistry()));
    }

    /** The index of another node, on the same buckets. */
    public MessageIndex otherNode() {
        return new MemoryMessageIndex(buckets, clock);
    }

    public InstantSource clock() {
        return clock;
    }

    /** Lets time pass. */
    public void pass(Duration time) {
        nowMs.addAndGet(time.toMillis());
    }

    /** Claims all buckets, as a leader does. */
    public void lead(long epoch) {
        IntStream.range(0, BUCKETS)
                .mapToObj(bucket -> index.claim(bucket, epoch))
                .forEach(owner -> {
                    owner.retake(List.of(), Duration.ofMinutes(1));
                    owner.markRestored();
                });
    }

    public Horizon horizon() {
        return horizon;
    }

    public MemoryMessageStore store() {
        return store;
    }

    /** The faults that a test can cause in the index. */
    public MemoryBuckets buckets() {
        return buckets;
    }

    public MessageIndex index() {
        return index;
    }

    public Scheduling scheduling() {
        return scheduling;
    }

    /** A message that is pushed now. */
    public DelayMessage message(String id, long delayMs) {
        long now = nowMs.get();
        return MessageBuilder.withId(id)
                .topic(TOPIC)
                .body("body of " + id)
                .created(now)
                .delay(delayMs)
                .build();
    }

    /** Has a message stored and scheduled. */
    public DelayMessage push(String id, long delayMs) {
        DelayMessage message = insert(id, delayMs, MessageStatus.DELAY);
        index.schedule(List.of(message));
        return message;
    }

    /** Has a message stored, and not scheduled. */
    public DelayMessage insert(String id, long delayMs, MessageStatus status) {
        DelayMessage message = message(id, delayMs);
        store.insert(List.of(new NewMessage(message, status)));
        return message;
    }

    /** Has a message stored, and not scheduled, whose producer gave a creation time. */
    public DelayMessage insertCreated(String id, long createTimeMs, long delayMs, MessageStatus status) {
        long dueMs = nowMs.get() + delayMs;
        DelayMessage message = MessageBuilder.withId(id)
                .topic(TOPIC)
                .body("body of " + id)
                .created(createTimeMs)
                .delay(0)
                .due(dueMs)
                .build();
        store.insert(List.of(new NewMessage(message, status)));
        return message;
    }

    public MessageStatus status(String id) {
        return store.status(id);
    }

    /** Null = the index does not know the message. */
    public Location location(String id) {
        return index.locate(List.of(id)).get(id);
    }

    /** An id that falls into this bucket. */
    public String idIn(int bucket) {
        return idsIn(bucket, 1).get(0);
    }

    /** Ids that fall into this bucket; each call begins with the same ones. */
    public List<String> idsIn(int bucket, int count) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "m" + i)
                .filter(id -> index.bucketOf(id) == bucket)
                .limit(count)
                .toList();
    }
}
