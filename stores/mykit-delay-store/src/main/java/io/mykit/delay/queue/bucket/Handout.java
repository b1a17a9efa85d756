package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Map;

/**
 * The result of handing out messages of one bucket.
 *
 * @param messages the messages that are under the hold now, in the order of the ready list
 * @param handed how often consumers had a message before, under holds that have ended, by id; a message without an entry: never, as
 *     far as the index knows
 * @param untilMs the end of the hold, shared clock, epoch milliseconds
 * @param more whether the ready list still has entries
 * @param suspect whether the bucket came back older or lost, and was not compared with the store yet: the caller must look at the
 *     rows before it gives the messages away
 * @param failure the reason why no message was handed out; null = no failure
 */
public record Handout(
        int bucket,
        List<DelayMessage> messages,
        Map<String, Integer> handed,
        long untilMs,
        boolean more,
        boolean suspect,
        RuntimeException failure) {
    public static Handout failed(int bucket, RuntimeException failure) {
        return new Handout(bucket, List.of(), Map.of(), 0, false, false, failure);
    }
}
