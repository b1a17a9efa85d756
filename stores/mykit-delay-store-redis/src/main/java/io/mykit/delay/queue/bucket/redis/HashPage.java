package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.Replies;
import java.util.List;

/**
 * One page of a hash. If the hash has shrunk, a page may be empty although more pages follow.
 *
 * @param cursor the beginning of the next page
 * @param fields field, value, field, value
 */
record HashPage(String cursor, List<?> fields) {
    /** The cursor of the first page, and the cursor after the last page. */
    static final String END = "0";

    private static final byte[] COUNT = Replies.bytes("COUNT");

    /** @param count the approximate number of fields */
    static HashPage read(BucketCalls calls, byte[] hash, String cursor, int count) {
        List<?> page = Replies.list(
                calls.run(RedisCall.command("HSCAN", hash, Replies.bytes(cursor), COUNT, Replies.bytes(count))));
        return new HashPage(Replies.text(page.get(0)), Replies.list(page.get(1)));
    }

    boolean isLast() {
        return cursor.equals(END);
    }
}
