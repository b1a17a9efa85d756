package io.mykit.delay.queue.memory;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.Transition;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The table of dead letters of a {@link MemoryMessageStore}. Not thread-safe, like {@link MemoryTables}. */
final class MemoryDead {
    private static final Comparator<DeadLetter> ORDER =
            Comparator.comparingLong(DeadLetter::deadTimeMs).thenComparing(DeadLetter::id);

    private final Map<String, DeadLetter> letters = new HashMap<>();

    void follow(DelayMessage message, Transition change) {
        letters.remove(message.id());
        if (change.to() == MessageStatus.FAILED) {
            Transition.Step last = change.last();
            letters.put(
                    message.id(),
                    new DeadLetter(
                            message.id(),
                            message.topic(),
                            message.bizKey(),
                            change.attempts(),
                            last.reason(),
                            last.detail(),
                            message.firstDueMs(),
                            last.atMs()));
        }
    }

    void remove(String id) {
        letters.remove(id);
    }

    int size() {
        return letters.size();
    }

    Optional<DeadLetter> find(String id) {
        return Optional.ofNullable(letters.get(id));
    }

    Stream<DeadLetter> page(String topic, DeadQuery query, DeadCursor after) {
        return letters.values().stream()
                .filter(letter -> letter.topic().equals(topic))
                .filter(letter -> letter.deadTimeMs() >= query.sinceMs() && letter.deadTimeMs() < query.untilMs())
                .filter(letter -> query.reason().isEmpty() || query.reason().get() == letter.reason())
                .filter(letter -> letter.deadTimeMs() > after.deadTimeMs()
                        || (letter.deadTimeMs() == after.deadTimeMs()
                                && letter.id().compareTo(after.id()) > 0))
                .sorted(ORDER);
    }

    List<DeadTopic> topics(String prefix, String after, int limit) {
        return letters.values().stream()
                .filter(letter -> letter.topic().startsWith(prefix))
                .filter(letter -> letter.topic().compareTo(after) > 0)
                .collect(groupingBy(DeadLetter::topic, TreeMap::new, toList()))
                .values()
                .stream()
                .limit(limit)
                .map(MemoryDead::topic)
                .toList();
    }

    private static DeadTopic topic(List<DeadLetter> letters) {
        List<DeadLetter> sorted = letters.stream().sorted(ORDER).toList();
        return new DeadTopic(
                sorted.get(0).topic(),
                sorted.size(),
                sorted.get(0).deadTimeMs(),
                sorted.get(sorted.size() - 1).deadTimeMs());
    }
}
