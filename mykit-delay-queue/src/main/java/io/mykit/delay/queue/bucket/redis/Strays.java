package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.redis.Replies;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds orphaned messages: they are in the pool, but in no waiting set, no ready list and under no lease. Every move is one
 * script, so a message becomes an orphan only when a Redis key is lost, by hand or in a failover. Thread-safe.
 */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);
    private static final int PAGE = 500;

    private final BucketCalls calls;

    Strays(BucketCalls calls) {
        this.calls = calls;
    }

    long count(BucketKeys keys) {
        byte[][] scriptKeys = {keys.pool, keys.heads, keys.lease, keys.topics};
        return Replies.number(calls.run(keys, LuaScript.CENSUS, scriptKeys));
    }

    String collect(BucketKeys keys, Claim claim, String cursor) {
        HashPage page = HashPage.read(calls, keys.pool, cursor, PAGE);
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(claim.anyOfTheTerm());
        for (DelayMessage message : TakenMessages.read(keys.bucket, page.fields(), 0)) {
            arguments.add(StoredIds.bytes(message.id()));
            arguments.add(ScheduleRun.score(message));
        }
        byte[][] scriptKeys = {keys.epoch, keys.heads, keys.lease, keys.pool};
        long collected =
                Replies.number(calls.run(keys, claim, LuaScript.COLLECT, scriptKeys, arguments.toArray(byte[][]::new)));
        if (collected > 0) {
            LOG.warn("Bucket {}: rescheduled {} orphaned messages (a Redis key was lost)", keys.bucket, collected);
        }
        return page.cursor();
    }
}
