package io.mykit.delay.queue.bucket;

/**
 * The messages of one topic in the index, over all buckets. The numbers are read one after the other.
 *
 * @param waiting messages that wait for their due time
 * @param ready due messages that no consumer holds and no leader has taken
 * @param held messages that consumers hold
 */
public record TopicCensus(String topic, long waiting, long ready, long held) {}
