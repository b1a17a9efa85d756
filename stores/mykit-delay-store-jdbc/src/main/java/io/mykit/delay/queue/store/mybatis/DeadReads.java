package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import java.util.List;
import java.util.Optional;

/** Reads dead letters. Thread-safe. */
final class DeadReads {
    /** The last character of Unicode: all topics with a prefix are below the prefix with this character behind it. */
    private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

    private final Transactions transactions;

    DeadReads(Transactions transactions) {
        this.transactions = transactions;
    }

    List<DeadTopic> topics(String prefix, String after, int limit) {
        // A range of the index: LIKE ignores the case in SQLite.
        String until = prefix.isEmpty() ? "" : prefix + LAST;
        return transactions.read(session -> session.dead().topics(prefix, until, after, limit));
    }

    List<DeadLetter> page(String topic, DeadQuery query, DeadCursor after, int limit) {
        return transactions.read(
                session -> session.dead().page(topic, range(query), after.deadTimeMs(), after.id(), limit));
    }

    Optional<DeadLetter> find(String id) {
        return Optional.ofNullable(transactions.read(session -> session.dead().find(id)));
    }

    long count(String topic, DeadQuery query) {
        return transactions.read(session -> session.dead().count(topic, range(query)));
    }

    long count() {
        return transactions.read(session -> session.dead().countAll());
    }

    long count(int most) {
        return transactions.read(session -> session.dead().countUpTo(most));
    }

    private static DeadMapper.DeadRange range(DeadQuery query) {
        return new DeadMapper.DeadRange(
                query.sinceMs(), query.untilMs(), query.reason().orElse(null));
    }
}
