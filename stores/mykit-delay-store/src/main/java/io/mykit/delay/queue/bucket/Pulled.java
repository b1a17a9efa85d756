package io.mykit.delay.queue.bucket;

/** Tells which topics consumers pull. The answer may change while the queue runs. Thread-safe. */
public interface Pulled {
    /** Whether consumers pull the messages of this topic. */
    boolean contains(String topic);

    /** The rules of this moment. */
    PulledTopics now();

    /** Rules that never change. */
    static Pulled of(PulledTopics rules) {
        return new Pulled() {
            @Override
            public boolean contains(String topic) {
                return rules.contains(topic);
            }

            @Override
            public PulledTopics now() {
                return rules;
            }
        };
    }

    /** Another number after each change; cheap to ask. */
    default int version() {
        return 0;
    }
}
