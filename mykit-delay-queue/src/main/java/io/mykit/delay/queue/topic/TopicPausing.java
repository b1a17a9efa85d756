package io.mykit.delay.queue.topic;

import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.Optional;

/** Pauses and resumes topics when an operator asks for it. Any node may do it. Thread-safe; blocks. */
public interface TopicPausing {
    /**
     * Pauses a topic. A pause that the topic has already gets the new end.
     *
     * @param length empty = until the topic is resumed
     * @throws io.mykit.delay.common.error.DelayException STORE_UNAVAILABLE, or OUTCOME_UNKNOWN; the same call again is safe
     */
    TopicPause pause(String topic, Optional<Duration> length);

    /** Ends the pause of a topic, if there is one. It throws as {@link #pause}. */
    void resume(String topic);
}
