package io.mykit.delay.queue.bucket;

/**
 * The bounds of a hand-out.
 *
 * @param messages the maximum of messages
 * @param bytes the maximum of bytes, as the index keeps the messages
 * @param atLeastOne whether the first message is handed out whatever its size
 */
public record Portion(int messages, int bytes, boolean atLeastOne) {
    /** The part of each of so many buckets. A message that fits no part may fit the whole. */
    public Portion ofEach(int buckets) {
        return new Portion(messages / buckets, bytes / buckets, atLeastOne && buckets == 1);
    }
}
