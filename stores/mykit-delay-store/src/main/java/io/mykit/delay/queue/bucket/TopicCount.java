package io.mykit.delay.queue.bucket;

import java.util.OptionalLong;

/**
 * The messages of one topic in the index, over all buckets. The numbers are read one after the other.
 *
 * @param waiting messages that wait for their due time
 * @param ready due messages that no consumer holds and no leader has taken
 * @param held messages that consumers hold
 * @param leased messages that the leader delivers; of each bucket at most the first thousand are counted
 * @param oldestMs the due time of the first message that waits or is ready, epoch milliseconds; empty = there is none, or the index
 *     does not tell it
 */
public record TopicCount(String topic, long waiting, long ready, long held, long leased, OptionalLong oldestMs) {}
