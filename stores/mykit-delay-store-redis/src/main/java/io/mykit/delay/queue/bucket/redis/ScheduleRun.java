package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One run of {@link MessageIndex#schedule}: a chunk of messages per bucket and script call, all buckets pipelined. The run
 * bounds the bytes that it sends at one time, so that a batch of large bodies does not take twice its size in this
 * process's memory. One thread uses it, once.
 */
final class ScheduleRun {
    /** The number of messages in one script call. */
    static final int CHUNK_MESSAGES = 500;
    /** The bytes of pool values in one script call. */
    static final int CHUNK_BYTES = BodyBounds.TOGETHER;

    private static final int WINDOW_BYTES = 2 * BodyBounds.TOGETHER;
    /** {@code (9 - priority) / 16} behind the due time: the higher the priority, the earlier inside one millisecond. */
    private static final String[] FRACTIONS = {
        ".5625", ".5", ".4375", ".375", ".3125", ".25", ".1875", ".125", ".0625", ""
    };

    private final RedisKeys keys;
    private final BucketCalls calls;
    private final Wakes wakes;
    private final byte[] latestDue;
    private final ScheduleOutcome[] outcomes;
    private final Chunk[] open;
    private final List<Chunk> window = new ArrayList<>();
    private final BitSet failed = new BitSet();
    private int windowBytes;
    private boolean closed;

    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    ScheduleRun(RedisKeys keys, BucketCalls calls, Wakes wakes, long latestDueMicros, int messages) {
        this.keys = keys;
        this.calls = calls;
        this.wakes = wakes;
        this.latestDue = Replies.bytes(latestDueMicros);
        this.outcomes = new ScheduleOutcome[messages];
        this.open = new Chunk[keys.buckets()];
    }

    List<ScheduleOutcome> run(
            List<DelayMessage> messages, Predicate<DelayMessage> attempted, Predicate<String> pulled) {
        for (int i = 0; i < outcomes.length; i++) {
            DelayMessage message = messages.get(i);
            add(i, message, attempted.test(message), pulled.test(message.topic()));
            if (windowBytes >= WINDOW_BYTES) {
                flush();
            }
        }
        flush();
        return Arrays.asList(outcomes);
    }

    /**
     * Whether a bucket was closed. Then its messages are not scheduled, and the caller tries again by the agreed number of
     * buckets.
     */
    boolean metClosed() {
        return closed;
    }

    private void add(int index, DelayMessage message, boolean attempted, boolean pulled) {
        int bucket = keys.bucketOf(message.id());
        if (failed.get(bucket)) {
            // The server of this bucket failed a moment ago: the caller must not wait for its timeout again in each
            // window.
            outcomes[index] = ScheduleOutcome.UNAVAILABLE;
            return;
        }
        byte[] value = MessageCodec.encode(message, attempted);
        Chunk chunk = open[bucket];
        if (chunk == null || chunk.isFull(value.length)) {
            chunk = new Chunk(keys.of(bucket), wakes, latestDue);
            open[bucket] = chunk;
            window.add(chunk);
        }
        chunk.add(index, message, value, pulled);
        windowBytes += value.length;
    }

    private void flush() {
        Object[] replies = calls.tryAll(window.stream().map(Chunk::call).toList());
        for (int i = 0; i < replies.length; i++) {
            settle(window.get(i), replies[i]);
        }
        Arrays.fill(open, null);
        window.clear();
        windowBytes = 0;
    }

    private void settle(Chunk chunk, Object reply) {
        if (!(reply instanceof List<?> answer)) {
            closed |= BucketCalls.isClosed(reply);
            failed.set(chunk.bucket.bucket);
            chunk.indexes.forEach(index -> outcomes[index] = ScheduleOutcome.UNAVAILABLE);
            return;
        }
        byte[] letters = (byte[]) answer.get(0);
        for (int i = 0; i < chunk.indexes.size(); i++) {
            outcomes[chunk.indexes.get(i)] = switch (letters[i + 1]) {
                case 'S' -> ScheduleOutcome.SCHEDULED;
                case 'D' -> ScheduleOutcome.DELIVERED;
                case 'V' -> ScheduleOutcome.VETOED;
                default -> ScheduleOutcome.KNOWN;
            };
        }
        if (letters[0] == 'E') {
            wakes.tell(chunk.bucket.bucket);
        }
        Replies.list(answer.get(1)).forEach(topic -> wakes.tellReady(chunk.bucket.bucket, Replies.text(topic)));
    }

    static byte[] score(DelayMessage message) {
        return Replies.bytes(message.dueTimeMs() + FRACTIONS[message.priority()]);
    }

    private static final class Chunk {
        private final BucketKeys bucket;
        private final List<Integer> indexes = new ArrayList<>();
        private final Wakes wakes;
        private final byte[] latestDue;
        private final Set<String> pulled = new LinkedHashSet<>();
        private final List<byte[]> messages = new ArrayList<>();
        private int bytes;

        Chunk(BucketKeys bucket, Wakes wakes, byte[] latestDue) {
            this.bucket = bucket;
            this.wakes = wakes;
            this.latestDue = latestDue;
        }

        boolean isFull(int more) {
            return indexes.size() >= CHUNK_MESSAGES || bytes + more > CHUNK_BYTES;
        }

        void add(int index, DelayMessage message, byte[] value, boolean isPulled) {
            indexes.add(index);
            messages.add(StoredIds.bytes(message.id()));
            messages.add(score(message));
            messages.add(Replies.bytes(message.topic()));
            messages.add(value);
            bytes += value.length;
            if (isPulled) {
                pulled.add(message.topic());
            }
        }

        RedisCall call() {
            List<byte[]> arguments = new ArrayList<>(4 + pulled.size() + messages.size());
            arguments.add(wakes.channel());
            arguments.add(wakes.notice(bucket.bucket));
            arguments.add(latestDue);
            arguments.add(Replies.bytes(pulled.size()));
            pulled.forEach(topic -> arguments.add(Replies.bytes(topic)));
            arguments.addAll(messages);
            return BucketCalls.call(
                    LuaScript.SCHEDULE,
                    new byte[][] {
                        bucket.heads,
                        bucket.pool,
                        bucket.parked,
                        bucket.closed,
                        bucket.vetoes,
                        bucket.vetoedVersions,
                        bucket.retaken,
                        bucket.lease,
                        bucket.topics,
                        bucket.epoch,
                        bucket.restoring
                    },
                    arguments.toArray(byte[][]::new));
        }
    }
}
