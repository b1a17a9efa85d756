package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicSetting;
import io.mykit.delay.queue.store.TopicStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of topics in memory. Thread-safe. */
final class MemoryTopics implements TopicStore {
    private final MemoryTurns turns;
    /** Used in turns. */
    private final MemoryTables tables;

    MemoryTopics(MemoryTurns turns, MemoryTables tables) {
        this.turns = turns;
        this.tables = tables;
    }

    @Override
    public List<TopicPause> pauses() {
        return turns.read(() -> List.copyOf(tables.pauses.values()));
    }

    @Override
    public void pause(TopicPause pause) {
        TopicPause unused = turns.write(() -> tables.pauses.put(pause.topic(), pause));
    }

    @Override
    public void resume(String topic) {
        TopicPause unused = turns.write(() -> tables.pauses.remove(topic));
    }

    @Override
    public List<TopicSetting> settings() {
        return turns.read(() -> tables.settings.entrySet().stream()
                .flatMap(topic -> topic.getValue().entrySet().stream()
                        .map(each -> new TopicSetting(topic.getKey(), each.getKey(), each.getValue())))
                .toList());
    }

    @Override
    public void set(String topic, Map<String, Optional<String>> changes) {
        Map<String, String> unused = turns.write(() -> {
            Map<String, String> own = tables.settings.computeIfAbsent(topic, none -> new TreeMap<>());
            changes.forEach(
                    (name, value) -> value.ifPresentOrElse(text -> own.put(name, text), () -> own.remove(name)));
            return own;
        });
    }
}
