package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicSetting;
import io.mykit.delay.queue.store.TopicStore;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tables {@code mykit_delay_queue_topic} and {@code mykit_delay_queue_topic_policy}. Thread-safe. */
final class TopicRows implements TopicStore {
    private final Transactions transactions;
    private final InstantSource clock;

    TopicRows(Transactions transactions, InstantSource clock) {
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public List<TopicPause> pauses() {
        return transactions.read(session -> session.topics().pauses()).stream()
                .sorted(Comparator.comparing(TopicPause::topic))
                .toList();
    }

    @Override
    public void pause(TopicPause pause) {
        for (boolean written = false; !written; ) {
            try {
                written = transactions.write(session -> put(session.topics(), pause));
            } catch (DuplicateRowException e) {
                // Another node inserted the row in between. Rows are never removed, so the next round finds it.
            }
        }
    }

    private boolean put(TopicMapper topics, TopicPause pause) {
        if (topics.update(pause.topic(), pause.untilMs(), now()) == 0) {
            topics.insert(pause.topic(), pause.untilMs(), now());
        }
        return true;
    }

    @Override
    public void resume(String topic) {
        // The row stays: a later version may keep other settings in it.
        int unused = transactions.write(session -> session.topics().update(topic, null, now()));
    }

    @Override
    public List<TopicSetting> settings() {
        return transactions.read(session -> session.topics().settings()).stream()
                .sorted(Comparator.comparing(TopicSetting::topic).thenComparing(TopicSetting::name))
                .toList();
    }

    @Override
    public void set(String topic, Map<String, Optional<String>> changes) {
        for (boolean written = false; !written; ) {
            try {
                written = transactions.write(session -> change(session.topics(), topic, new TreeMap<>(changes)));
            } catch (DuplicateRowException e) {
                // Another node inserted a row in between, and the next round finds it, unless it was removed again.
            }
        }
    }

    /** In the order of names, so that two nodes lock rows in the same order. */
    private boolean change(TopicMapper topics, String topic, SortedMap<String, Optional<String>> changes) {
        changes.forEach((name, value) -> {
            if (value.isEmpty()) {
                topics.deleteSetting(topic, name);
                return;
            }
            TopicSetting setting = new TopicSetting(topic, name, value.get());
            if (topics.updateSetting(setting, now()) == 0) {
                topics.insertSetting(setting, now());
            }
        });
        return true;
    }

    private LocalDateTime now() {
        return UtcTime.ofMillis(clock.millis());
    }
}
