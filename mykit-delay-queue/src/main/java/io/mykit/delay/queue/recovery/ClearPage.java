package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Cancels pages of rows, or counts what it would cancel. One thread. */
final class ClearPage {
    /** Longer than a push takes from the store to the index. */
    private static final Duration YOUNG = Duration.ofMinutes(1);

    private final Recovery room;
    private final boolean dryRun;
    private final long begunMs;
    private long cleared;

    ClearPage(Recovery room, boolean dryRun) {
        this.room = room;
        this.dryRun = dryRun;
        this.begunMs = room.clock().millis();
    }

    long cleared() {
        return cleared;
    }

    /** What was pushed after the beginning survives. */
    void clear(List<RowState> page) {
        List<RowState> rows =
                page.stream().filter(row -> row.createTimeMs() <= begunMs).toList();
        if (!rows.isEmpty()) {
            cleared += dryRun ? count(rows) : cancel(rows);
        }
    }

    private long count(List<RowState> rows) {
        Map<String, Location> known =
                room.index().locate(rows.stream().map(RowState::id).toList());
        return rows.size()
                - known.values().stream()
                        .filter(location -> location == Location.TAKEN || location == Location.PARKED)
                        .count();
    }

    private int cancel(List<RowState> rows) {
        vetoYoung(rows);
        Set<String> beingDelivered =
                room.index().purge(rows.stream().map(RowState::ref).toList());
        List<Transition.Step> deleted =
                List.of(new Transition.Step(MessageStatus.DELETE, room.clock().millis(), "cleared by an operator"));
        List<Transition> transitions = rows.stream()
                .filter(row -> !beingDelivered.contains(row.id()))
                .map(row -> new Transition(row.id(), row.version(), row.status(), deleted, "clear", row.attempts()))
                .toList();
        return transitions.size() - room.store().move(transitions).size();
    }

    /** Their pushes may be between the store and the index. */
    private void vetoYoung(List<RowState> rows) {
        long youngMs = room.clock().millis() - YOUNG.toMillis();
        room.index()
                .veto(rows.stream()
                        .filter(row -> row.createTimeMs() > youngMs)
                        .map(RowState::ref)
                        .toList());
    }
}
