package io.mykit.delay.queue.store;

import java.util.List;

/**
 * The settings of topics that operators change while the queue runs. Every method is one transaction and may be repeated; see
 * {@link MessageStore}. Thread-safe.
 */
public interface TopicStore {
    /** All pauses, also those whose end has passed, in the order of their topics. */
    List<TopicPause> pauses();

    /** Pauses a topic. A pause that the topic has already gets the new end. */
    void pause(TopicPause pause);

    /** Ends the pause of a topic, if there is one. */
    void resume(String topic);
}
