package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.redis.Replies;

/**
 * With what a leader comes to a bucket: its epoch, and what its last claim wrote there (see {@code fence.lua}). Immutable.
 *
 * @param text what the claim wrote; the epoch alone if there was none
 * @param server the run id of the process that was claimed on, which alone may get the leader's calls; null = any
 */
record Claim(long epoch, String text, String server) {
    /** A leader that has not claimed: the bucket refuses it, or another index of the same leader has claimed it. */
    static Claim none(long epoch) {
        return new Claim(epoch, Long.toString(epoch), null);
    }

    /** For what must not be done any more once the bucket was claimed again. */
    byte[] exactly() {
        return Replies.bytes(text);
    }

    /** For what any claim of this term may do. */
    byte[] anyOfTheTerm() {
        return Replies.bytes(epoch);
    }

    /** The epoch in what a claim wrote. */
    static long epochOf(Object reply) {
        String text = Replies.text(reply);
        int space = text.indexOf(' ');
        return Long.parseLong(space < 0 ? text : text.substring(0, space));
    }

    /**
     * As {@code fence.lua}, for reads.
     *
     * @param reply what the bucket says; null = nothing
     */
    void check(int bucket, Object reply) {
        long seen = reply == null ? 0 : epochOf(reply);
        if (seen > epoch) {
            throw new FencedException(bucket, epoch, seen);
        }
        if (reply == null || seen < epoch) {
            throw new BucketLostException(bucket);
        }
    }
}
