package io.mykit.delay.queue.bucket;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * The topics of which a scan may take no message now: they back off, are paused, or have enough messages under way. There may be very
 * many of them, so an index asks for all names only if they are few. Thread-safe.
 */
public interface BusyTopics {
    boolean contains(String topic);

    /** The names of all busy topics; empty if there may be more than so many. */
    Optional<Collection<String>> names(int most);

    /** Exactly these topics. */
    static BusyTopics of(Collection<String> topics) {
        Set<String> names = Set.copyOf(topics);
        return new BusyTopics() {
            @Override
            public boolean contains(String topic) {
                return names.contains(topic);
            }

            @Override
            public Optional<Collection<String>> names(int most) {
                return names.size() > most ? Optional.empty() : Optional.of(names);
            }
        };
    }
}
