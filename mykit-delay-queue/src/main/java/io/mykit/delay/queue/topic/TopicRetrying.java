package io.mykit.delay.queue.topic;

/** Tries topics again at once when an operator asks for it. Any node may do it. Thread-safe; blocks. */
public interface TopicRetrying {
    /**
     * Ends the pause that a topic makes after failures, so that its next message is sent now. A topic that does not back off goes on as
     * before.
     *
     * @return whether this node leads, and so has ended the pause; otherwise it has told the leader, and that notice may be lost
     * @throws io.mykit.delay.queue.bucket.IndexUnavailableException if this node does not lead and cannot tell the leader
     */
    boolean retry(String topic);
}
