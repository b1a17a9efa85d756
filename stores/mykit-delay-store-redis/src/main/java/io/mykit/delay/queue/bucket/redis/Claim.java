package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.redis.Replies;

/**
 * A claim of a leader on a bucket: its epoch, and the text that its last claim wrote there (see {@code fence.lua}).
 * Immutable.
 *
 * @param text the text that the claim wrote; the epoch alone if there was no claim
 * @param server the process of the claim ({@link io.mykit.delay.queue.redis.Redis#serverOf}), which alone may get the leader's
 *     calls; null = any process
 */
record Claim(long epoch, String text, String server) {
    /**
     * The claim of a leader that has not claimed the bucket here: the bucket refuses it, or another index object of the
     * same leader has claimed it.
     */
    static Claim none(long epoch) {
        return new Claim(epoch, Long.toString(epoch), null);
    }

    /** The fence for calls that Redis must refuse once the bucket was claimed again. */
    byte[] exactly() {
        return Replies.bytes(text);
    }

    /** The fence for calls that any claim of this term may make. */
    byte[] anyOfTheTerm() {
        return Replies.bytes(epoch);
    }

    /** The epoch in the text of a claim. */
    static long epochOf(Object reply) {
        String text = Replies.text(reply);
        int space = text.indexOf(' ');
        return Long.parseLong(space < 0 ? text : text.substring(0, space));
    }

    /** Whether a claim was made on this process. A process that is not known counts as the same one, as in {@code claim.lua}. */
    static boolean isOn(String server, Object reply) {
        String[] words = Replies.text(reply).split(" ", 3);
        String claimed = words.length < 3 ? "" : words[2];
        return server.isEmpty() || claimed.isEmpty() || claimed.equals(server);
    }

    /**
     * Does the check of {@code fence.lua} for reads.
     *
     * @param reply the claim that the bucket has; null = none
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
