package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/**
 * The result of taking messages from the ready list of one bucket.
 *
 * @param messages the taken messages, under a lease now, in the order of the list
 * @param more whether the list still has entries. It may have entries although no message was taken: then the entries read
 *     so far belonged to purged messages
 * @param failure the reason why no message was taken: the exception that the other methods of {@link MessageIndex} would
 *     have thrown; null = no failure
 */
public record Take(int bucket, List<DelayMessage> messages, boolean more, RuntimeException failure) {
    public static Take of(int bucket, List<DelayMessage> messages, boolean more) {
        return new Take(bucket, messages, more, null);
    }

    public static Take failed(int bucket, RuntimeException failure) {
        return new Take(bucket, List.of(), false, failure);
    }
}
