package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/**
 * What came of taking from one bucket's ready list.
 *
 * @param messages under a lease now, in the order of the list
 * @param more whether the list still has something; also possible without any message, if what was looked at had been
 *     purged
 * @param failure why nothing was taken: what the other methods of {@link MessageIndex} would have thrown; null = nothing
 *     is wrong
 */
public record Take(int bucket, List<DelayMessage> messages, boolean more, RuntimeException failure) {
    public static Take of(int bucket, List<DelayMessage> messages, boolean more) {
        return new Take(bucket, messages, more, null);
    }

    public static Take failed(int bucket, RuntimeException failure) {
        return new Take(bucket, List.of(), false, failure);
    }
}
