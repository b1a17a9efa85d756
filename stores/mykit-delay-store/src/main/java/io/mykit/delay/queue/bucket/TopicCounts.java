package io.mykit.delay.queue.bucket;

import java.util.List;

/**
 * The topics that have messages in the index.
 *
 * @param topics in the order of their names
 * @param complete false if there were more topics than the caller wanted
 */
public record TopicCounts(List<TopicCount> topics, boolean complete) {}
