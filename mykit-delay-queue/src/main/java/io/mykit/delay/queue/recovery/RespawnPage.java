package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts dead letters back with new due times. A page whose bodies are large is changed in several transactions.
 *
 * <p>Each message gets its next version: an outcome of its last delivery may still be parked in the index or be on its way
 * there, and must not end the respawned message. A crash after the commit leaves rows in DELAY that the index does not know,
 * which the auditor schedules.
 *
 * @param begunMs when the respawn began, epoch milliseconds
 */
record RespawnPage(Recovery recovery, Pace pace, long begunMs) implements DeadPage {
    private static final String THREAD = "respawn";

    @Override
    public int change(List<String> ids, long first) {
        Map<String, Long> numbers = new HashMap<>();
        for (String id : ids) {
            numbers.put(id, first + numbers.size());
        }
        int[] changed = {0};
        recovery.store().find(numbers.keySet(), BodyBounds.TOGETHER, rows -> changed[0] += respawn(rows, numbers));
        return changed[0];
    }

    private int respawn(List<StoredMessage> rows, Map<String, Long> numbers) {
        List<Rescheduling> changes = new ArrayList<>(rows.size());
        for (StoredMessage row : rows) {
            if (row.status() == MessageStatus.FAILED) {
                changes.add(change(row, numbers.get(row.message().id())));
            }
        }
        long beforeMs = recovery.scheduling().nowMs();
        Set<String> leftOut = recovery.store().reschedule(changes);
        List<NewMessage> respawned = changes.stream()
                .filter(change -> !leftOut.contains(change.message().id()))
                .map(change ->
                        new NewMessage(change.message(), change.transition().to()))
                .toList();
        recovery.scheduling().schedule(respawned, beforeMs);
        return respawned.size();
    }

    private Rescheduling change(StoredMessage row, long number) {
        long nowMs = recovery.clock().millis();
        DelayMessage message = row.message()
                .dueAt(pace.dueMs(begunMs, nowMs, number))
                .asVersion(row.message().version() + 1);
        List<Transition.Step> steps = List.of(
                new Transition.Step(MessageStatus.RESTORE, nowMs, "respawned by an operator"),
                new Transition.Step(recovery.scheduling().initialStatus(message), nowMs));
        return new Rescheduling(message, Transition.of(row.state(), steps, THREAD, 0));
    }
}
