package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Puts one message back, for an operator. Thread-safe. */
final class SingleRestore {
    private static final int TRIES = 4;

    private final MessageStore store;
    private final MessageIndex index;
    private final Scheduling scheduling;
    private final InstantSource clock;
    private final RecoveryBoard board;

    SingleRestore(Recovery recovery) {
        this.store = recovery.store();
        this.index = recovery.index();
        this.scheduling = recovery.scheduling();
        this.clock = recovery.clock();
        this.board = recovery.board();
    }

    boolean restore(String id) {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            Optional<StoredMessage> row = store.find(id);
            if (row.isEmpty()) {
                return false;
            }
            boolean onItsWay = row.get().status().isUnfinished()
                    && index.unknown(List.of(row.get().message().ref())).isEmpty();
            if (onItsWay || rewrite(row.get())) {
                return true;
            }
        }
        throw new DelayException(
                ErrorCode.ALREADY_DISPATCHED, "message " + id + " is being delivered now; read its status later");
    }

    private boolean rewrite(StoredMessage row) {
        long nowMs = clock.millis();
        // An overdue message becomes due now: with its old due time, a ttl that has ended would end it again at once.
        DelayMessage old = row.message();
        // A message that waits for its next attempt keeps that time, and its attempts and its ttl begin anew.
        boolean retried = old.extras().firstDueMs() != 0;
        long dueMs = Math.max(nowMs, old.dueTimeMs());
        DelayMessage message =
                (retried || dueMs != old.dueTimeMs() ? old.dueAt(dueMs) : old).asVersion(old.version() + 1);
        MessageStatus target = scheduling.initialStatus(message);
        Transition.Step restore = new Transition.Step(MessageStatus.RESTORE, nowMs, "restored by an operator");
        Transition.Step last = new Transition.Step(target, nowMs);
        List<Transition.Step> steps = Transition.through(row.status(), restore, last);
        boolean won =
                store.rewrite(message, new Transition(message.id(), old.version(), row.status(), steps, "restore", 0));
        if (won) {
            scheduling.schedule(List.of(new NewMessage(message, target)), nowMs);
            board.restored(1);
        }
        return won;
    }
}
