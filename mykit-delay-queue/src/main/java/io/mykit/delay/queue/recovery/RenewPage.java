package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts dead letters back with other attempts and another ttl, due now. The options of a row change, so each row is a transaction: unlike
 * {@link RespawnPage}, which changes due times alone. A crash between commit and scheduling leaves rows in DELAY that the index does not
 * know, which the auditor schedules.
 */
record RenewPage(Recovery recovery, int maxAttempts, long ttlSeconds) implements DeadPage {
    private static final String THREAD = "respawn";

    @Override
    public int change(List<String> ids, long first) {
        int[] changed = {0};
        recovery.store().find(ids, BodyBounds.TOGETHER, rows -> changed[0] += renew(rows));
        return changed[0];
    }

    private int renew(List<StoredMessage> rows) {
        long beforeMs = recovery.scheduling().nowMs();
        List<NewMessage> renewed = new ArrayList<>();
        for (StoredMessage row : rows) {
            if (row.status() == MessageStatus.FAILED) {
                DelayMessage message = renewed(row.message());
                MessageStatus status = recovery.scheduling().initialStatus(message);
                if (recovery.store().rewrite(message, transition(row, status))) {
                    renewed.add(new NewMessage(message, status));
                }
            }
        }
        recovery.scheduling().schedule(renewed, beforeMs);
        return renewed.size();
    }

    private DelayMessage renewed(DelayMessage dead) {
        DelayMessage message =
                dead.dueAt(recovery.earliest().millis()).withTtl(ttlSeconds).asVersion(dead.version() + 1);
        return message.withExtras(
                message.extras().withRetry(message.extras().retry().withMaxAttempts(maxAttempts)));
    }

    private Transition transition(StoredMessage row, MessageStatus to) {
        long nowMs = recovery.clock().millis();
        List<Transition.Step> steps = List.of(
                new Transition.Step(MessageStatus.RESTORE, nowMs, "respawned by a consumer"),
                new Transition.Step(to, nowMs));
        return Transition.of(row.state(), steps, THREAD, 0);
    }
}
