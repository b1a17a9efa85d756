package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.Message;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.spring.call.Draft;
import io.mykit.delay.spring.call.DueTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A send, with the reschedules that changed it before it was pushed. One thread. */
final class Sending implements Step {
    private final List<CompletableFuture<RescheduleResult>> moves = new ArrayList<>();
    private Draft draft;

    Sending(Draft draft) {
        this.draft = draft;
    }

    Message message() {
        return draft.message();
    }

    boolean hasOwnId() {
        return draft.hasOwnId();
    }

    void move(DueTime dueTime) {
        draft = draft.moved(dueTime);
    }

    void move(PendingCall.Reschedule reschedule) {
        move(reschedule.dueTime());
        moves.add(reschedule.result());
    }

    /** The message is pushed, or a cancel took it back. */
    void end() {
        moves.forEach(move -> move.complete(RescheduleResult.RESCHEDULED));
    }

    @Override
    public void fail(RuntimeException reason) {
        moves.forEach(move -> move.completeExceptionally(reason));
    }

    @Override
    public String toString() {
        return "push " + message().topic() + " " + message().id();
    }
}
