package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.StrayCount;
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
    private static final int LEAST_PAGE = 10;
    private static final int LARGEST_PAGE = 500;
    /** The entries of ready lists that one call looks at. */
    private static final int TRIMMED = 1_000;

    private final BucketCalls calls;
    /** The number of messages of the next page. It follows the size of their bodies. */
    private volatile int page = LEAST_PAGE;

    Strays(BucketCalls calls) {
        this.calls = calls;
    }

    StrayCount count(BucketKeys keys) {
        byte[][] scriptKeys = {keys.pool, keys.heads, keys.lease, keys.topics};
        List<?> counts = Replies.list(calls.run(keys, LuaScript.CENSUS, scriptKeys));
        return new StrayCount(
                Replies.number(counts.get(0)),
                Replies.number(counts.get(1)),
                Replies.number(counts.get(2)) == 1,
                Replies.number(counts.get(3)));
    }

    boolean trimReady(BucketKeys keys, Claim claim) {
        byte[][] scriptKeys = {keys.epoch, keys.topics, keys.lease, keys.pool};
        byte[] limit = Replies.bytes(TRIMMED);
        return Replies.number(calls.run(keys, claim, LuaScript.TRIM_READY, scriptKeys, claim.anyOfTheTerm(), limit))
                == TRIMMED;
    }

    String collect(BucketKeys keys, Claim claim, String cursor) {
        if (cursor.equals(OwnedBucket.FIRST_PAGE)) {
            byte[][] lists = {keys.epoch, keys.topics};
            calls.run(keys, claim, LuaScript.UNLIST, lists, claim.anyOfTheTerm());
            // The bodies may be larger than those of the last walk.
            page = LEAST_PAGE;
        }
        HashPage read = HashPage.read(calls, keys.pool, cursor, page);
        List<DelayMessage> messages = TakenMessages.read(keys.bucket, read.fields(), 0);
        List<byte[]> arguments = new ArrayList<>();
        arguments.add(claim.anyOfTheTerm());
        long characters = 0;
        for (DelayMessage message : messages) {
            characters += message.body().length();
            arguments.add(StoredIds.bytes(message.id()));
            arguments.add(Replies.bytes(message.version()));
            arguments.add(ScheduleRun.score(message));
        }
        byte[][] scriptKeys = {keys.epoch, keys.heads, keys.lease, keys.pool};
        long collected =
                Replies.number(calls.run(keys, claim, LuaScript.COLLECT, scriptKeys, arguments.toArray(byte[][]::new)));
        if (collected > 0) {
            LOG.warn("Bucket {}: rescheduled {} orphaned messages (a Redis key was lost)", keys.bucket, collected);
        }
        page = nextPage(characters);
        return read.cursor();
    }

    private int nextPage(long characters) {
        if (characters > BodyBounds.TOGETHER) {
            return LEAST_PAGE;
        }
        return characters > BodyBounds.TOGETHER / 2 ? page : Math.min(LARGEST_PAGE, page * 2);
    }
}
