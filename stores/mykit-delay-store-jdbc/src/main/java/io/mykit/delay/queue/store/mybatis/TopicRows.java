package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicStore;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;

/** The table {@code mykit_delay_queue_topic}. Thread-safe. */
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

    private LocalDateTime now() {
        return UtcTime.ofMillis(clock.millis());
    }
}
