package io.mykit.delay.queue.state;

import io.mykit.delay.queue.store.TopicPause;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The topics that are paused now: nothing of them is delivered or handed out. Thread-safe; no call blocks. */
public interface PausedTopics {
    /** No topic is ever paused. */
    PausedTopics NONE = new PausedTopics() {
        @Override
        public Optional<TopicPause> find(String topic) {
            return Optional.empty();
        }

        @Override
        public List<TopicPause> all() {
            return List.of();
        }

        @Override
        public int most() {
            return 0;
        }

        @Override
        public void onChange(Consumer<String> listener) {
            // Nothing ever changes.
        }
    };

    /** The pause of a topic; empty = the topic is not paused. */
    Optional<TopicPause> find(String topic);

    default boolean contains(String topic) {
        return find(topic).isPresent();
    }

    /** The pauses of all topics that are paused now, in the order of the topics. */
    List<TopicPause> all();

    /** No more topics than this are paused: it is cheap to ask, and pauses that have just ended may count. */
    int most();

    /**
     * Adds a listener. It gets each topic whose pause has begun or ended, or whose policy an operator has changed, on any thread, and must
     * not wait for anything long.
     */
    void onChange(Consumer<String> listener);
}
