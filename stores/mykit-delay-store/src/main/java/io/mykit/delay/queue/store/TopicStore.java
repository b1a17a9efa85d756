package io.mykit.delay.queue.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** All values of policies that operators set, in the order of topics and names. */
    List<TopicSetting> settings();

    /**
     * Changes values of the policy of a topic.
     *
     * @param changes by name; empty = the value is removed, if it is there
     */
    void set(String topic, Map<String, Optional<String>> changes);
}
