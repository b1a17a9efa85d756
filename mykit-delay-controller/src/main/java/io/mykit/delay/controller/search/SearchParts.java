package io.mykit.delay.controller.search;

import io.mykit.delay.config.ConsoleConfig;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.SearchIndexes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The parts of the server behind the calls that find messages. Each is thread-safe and may block.
 *
 * @param search {@code MessageSearch::find}
 * @param keys {@code KeySearch::unfinished}: the ids of the unfinished messages of a topic and a business key
 * @param rescheduling {@code Rescheduler::reschedule}
 * @param indexes the optional indexes of the database, {@code KnownIndexes::now}
 * @param due {@code DueCensus::count}; must not block
 * @param clock the clock of the cluster
 * @param console what people see of messages
 */
public record SearchParts(
        Function<SearchOrder, SearchPage> search,
        BiFunction<String, String, List<String>> keys,
        Rescheduling rescheduling,
        Supplier<SearchIndexes> indexes,
        Supplier<DueCount> due,
        InstantSource clock,
        ConsoleConfig console) {
    /** Moves the due time of a message. */
    @FunctionalInterface
    public interface Rescheduling {
        /** See {@code Rescheduler}. Returns the new due time; empty if no message has this id. */
        Optional<Long> reschedule(String id, long dueTimeMs);
    }
}
