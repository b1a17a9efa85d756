package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the number of buckets. It closes the old buckets, so that no node schedules there, and empties them. It marks the
 * new buckets as lost, so that the leader restores them from the store, the most urgent messages first. Meanwhile, pushed
 * messages wait in the store.
 *
 * <p>Each step may be done twice. If a leader dies between two steps, the old number stays, and its buckets are closed. The
 * next leader then begins again, or restores the old buckets if its configured number is the old one. Stateless.
 */
final class BucketCountChange {
    private static final Logger LOG = LoggerFactory.getLogger(BucketCountChange.class);
    /** This is longer than any node goes on with the old number. */
    private static final Duration CLOSED = Duration.ofDays(1);

    private static final int PAGE = 500;
    /** The run id is not needed, because the bucket must be restored in any case. */
    private static final byte[] UNKNOWN_SERVER = {};

    private final BucketCalls calls;
    private final Wakes wakes;

    BucketCountChange(BucketCalls calls, Wakes wakes) {
        this.calls = calls;
        this.wakes = wakes;
    }

    void run(RedisKeys from, RedisKeys to, long epoch) {
        LOG.warn(
                "The number of buckets changes from {} to {} (mykit.delay.queue.buckets): the leader restores the"
                        + " messages from the database",
                from.buckets(),
                to.buckets());
        for (int bucket = 0; bucket < from.buckets(); bucket++) {
            close(from.of(bucket), epoch);
        }
        long waited = 0;
        for (int bucket = 0; bucket < from.buckets(); bucket++) {
            waited += dissolve(from.of(bucket), epoch);
        }
        // Without their messages the old buckets take no outcome of a consumer any more.
        for (int bucket = 0; bucket < from.buckets(); bucket++) {
            moveParked(from.of(bucket), to);
        }
        // The marks come after the removal, because a full Redis has free memory only then.
        List<RedisCall> marks = new ArrayList<>();
        for (int bucket = 0; bucket < to.buckets(); bucket++) {
            marks.add(RedisCall.command("SET", to.of(bucket).restoring, Replies.bytes(ClaimResult.LOST.name())));
        }
        calls.runAll(marks);
        calls.run(RedisCall.command("SET", to.layout(), Replies.bytes(to.buckets())));
        wakes.publishLayout(calls);
        // Until the layout is written, a leader with the old number needs the outcomes, too.
        calls.runAll(IntStream.range(0, from.buckets())
                .mapToObj(bucket -> RedisCall.command("UNLINK", from.of(bucket).parked))
                .toList());
        LOG.info("The queue has {} buckets now; {} messages waited in the old buckets", to.buckets(), waited);
    }

    private void close(BucketKeys bucket, long epoch) {
        calls.run(
                bucket,
                LuaScript.CLOSE,
                new byte[][] {bucket.epoch, bucket.closed, bucket.restoring},
                Replies.bytes(epoch),
                UNKNOWN_SERVER);
    }

    /** Moves outcomes that are not in the store yet. Without them, their messages would be delivered once more. */
    private void moveParked(BucketKeys bucket, RedisKeys to) {
        String cursor = HashPage.END;
        HashPage page;
        do {
            page = HashPage.read(calls, bucket.parked, cursor, PAGE);
            cursor = page.cursor();
            List<?> fields = page.fields();
            List<RedisCall> moves = new ArrayList<>();
            for (int i = 0; i < fields.size(); i += 2) {
                byte[] id = (byte[]) fields.get(i);
                BucketKeys target = to.of(to.bucketOf(StoredIds.text(id)));
                moves.add(RedisCall.command("HSET", target.parked, id, (byte[]) fields.get(i + 1)));
            }
            calls.runAll(moves);
        } while (!page.isLast());
    }

    private long dissolve(BucketKeys bucket, long epoch) {
        byte[][] scriptKeys = {
            bucket.epoch,
            bucket.closed,
            bucket.restoring,
            bucket.heads,
            bucket.topics,
            bucket.pool,
            bucket.lease,
            bucket.ghosts
        };
        return Replies.number(calls.run(
                bucket, LuaScript.DISSOLVE, scriptKeys, Replies.bytes(epoch), Replies.bytes(CLOSED.toSeconds())));
    }
}
