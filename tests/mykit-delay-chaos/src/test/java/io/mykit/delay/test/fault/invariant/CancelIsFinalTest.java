package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DELAY_MS;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static io.mykit.delay.test.fault.invariant.History.SENT_MS;
import static io.mykit.delay.test.fault.invariant.History.version;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Version;
import java.util.List;
import org.junit.jupiter.api.Test;

class CancelIsFinalTest {
    private static final Cancel CANCELLED = new Cancel(Answered.CANCELLED, DUE_MS - 12, DUE_MS - 10);
    private static final Cancel TOO_LATE = new Cancel(Answered.ALREADY_DISPATCHED, DUE_MS + 8, DUE_MS + 10);
    private static final Cancel UNKNOWN = new Cancel(Answered.NOTHING_KNOWN, DUE_MS - 12, DUE_MS - 10);

    private final History history = new History();

    @Test
    void whatWasSaidIsSo() {
        history.acknowledged("cancelled", CANCELLED).row("cancelled", MessageStatus.DELETE);
        history.acknowledged("late", TOO_LATE).arrived("late", DUE_MS + 50);
        history.acknowledged("unknown", UNKNOWN).arrived("unknown", DUE_MS);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void deliveredAfterItWasCancelled() {
        history.acknowledged("m", CANCELLED).row("m", MessageStatus.DELETE).arrived("m", DUE_MS);
        // A fault is no excuse.
        history.fault(DUE_MS - 100, DUE_MS + 100);
        violated("m: arrived 10 ms after it was said to be cancelled");
    }

    @Test
    void cancelledAfterItWasDelivered() {
        history.acknowledged("m", new Cancel(Answered.CANCELLED, DUE_MS + 28, DUE_MS + 30))
                .arrived("m", DUE_MS);
        history.fault(DUE_MS - 100, DUE_MS + 100);
        violated("m: had arrived 30 ms before it was said to be cancelled");
    }

    @Test
    void aNewMessageOfACancelledOneMayArrive() {
        Version first = version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS);
        Version next = version(1, DELAY_MS, DUE_MS).acknowledged(DUE_MS + 1);
        history.pushed("replaced", List.of(first, next), CANCELLED)
                .arrived("replaced", 1, DUE_MS + DELAY_MS, DUE_MS + 600);
        history.acknowledged("restored", CANCELLED).restored("restored", DUE_MS).arrived("restored", DUE_MS + 5);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void aDeliveredMessageThatBeganAgainCanBeCancelled() {
        Version first = version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS);
        Version next = version(1, DELAY_MS, DUE_MS + 5).acknowledged(DUE_MS + 6);
        Cancel cancel = new Cancel(Answered.CANCELLED, DUE_MS + 20, DUE_MS + 30);
        history.pushed("m", List.of(first, next), cancel).arrived("m", DUE_MS);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
        history.arrived("m", 1, DUE_MS + 5 + DELAY_MS, DUE_MS + 5 + DELAY_MS);
        violated("m: arrived " + (DELAY_MS - 25) + " ms after it was said to be cancelled");
    }

    @Test
    void aReplacementThatWasCancelledMustNotArrive() {
        Version first = version(0, DELAY_MS, SENT_MS).acknowledged(SENT_MS);
        Version next = version(1, DELAY_MS, SENT_MS + 10).acknowledged(SENT_MS + 20);
        history.pushed("m", List.of(first, next), CANCELLED).arrived("m", 1, DUE_MS + 10, DUE_MS + 15);
        violated("m: arrived 25 ms after it was said to be cancelled");
    }

    @Test
    void aRestoreThatWasOverBeforeTheCancelIsNoExcuse() {
        history.acknowledged("m", CANCELLED).restored("m", SENT_MS).arrived("m", DUE_MS);
        violated("m: arrived 10 ms after it was said to be cancelled");
    }

    /** The broker stored it, and its confirmation was lost. */
    @Test
    void whatWasAttemptedBeforeTheCancelMayArrive() {
        history.acknowledged("m", new Cancel(Answered.CANCELLED_AFTER_ATTEMPT, DUE_MS + 28, DUE_MS + 30))
                .row("m", MessageStatus.DELETE)
                .arrived("m", DUE_MS + 50);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void dispatchedMayStillExpire() {
        history.acknowledged("m", TOO_LATE).row("m", MessageStatus.EXPIRED);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void dispatchedAndNeverArrived() {
        history.acknowledged("m", TOO_LATE).row("m", MessageStatus.DELETE);
        violated("m: ALREADY_DISPATCHED, and never arrived: " + List.of(TOO_LATE));
    }

    @Test
    void overdueMessageThatALaterCancelTookBack() {
        Cancel later = new Cancel(Answered.CANCELLED, DUE_MS + 20, DUE_MS + 30);
        history.acknowledged("m", TOO_LATE, later).row("m", MessageStatus.DELETE);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void overdueMessageThatACancelWithoutAnAnswerTookBack() {
        history.acknowledged("m", UNKNOWN, TOO_LATE).row("m", MessageStatus.DELETE);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void aCancelThatWasRefusedIsNoExcuse() {
        Cancel refused = new Cancel(Answered.REFUSED, DUE_MS + 20, DUE_MS + 30);
        history.acknowledged("m", TOO_LATE, refused).row("m", MessageStatus.DELETE);
        violated("m: ALREADY_DISPATCHED, and never arrived: " + List.of(TOO_LATE, refused));
    }

    @Test
    void aCancelOfBeforeIsNoExcuse() {
        history.acknowledged("m", CANCELLED, TOO_LATE).row("m", MessageStatus.DELETE);
        violated("m: ALREADY_DISPATCHED, and never arrived: " + List.of(CANCELLED, TOO_LATE));
    }

    @Test
    void callbackThatFailedBeforeItsCancelWasNotDelivered() {
        history.callback("m").called("m", 1, DUE_MS, 500);
        Cancel inItsGap = new Cancel(Answered.CANCELLED, DUE_MS + 100, DUE_MS + 110);
        history.pushed.computeIfPresent("m", (id, was) -> was.with(inItsGap));
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
        history.called("m", 2, DUE_MS + 1_000, 500);
        violated("m: arrived 890 ms after it was said to be cancelled");
    }

    @Test
    void acceptedCallbackIsCancelledOnlyIfAFaultCutItsRecord() {
        history.callback("m").called("m", 1, DUE_MS, 204);
        Cancel afterIt = new Cancel(Answered.CANCELLED, DUE_MS + 100, DUE_MS + 110);
        history.pushed.computeIfPresent("m", (id, was) -> was.with(afterIt));
        violated("m: had arrived 110 ms before it was said to be cancelled");
        history.fault("freeze-leader", DUE_MS, DUE_MS + 50, 0);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void dispatchedCallbackMayStillFail() {
        history.callback("m").called("m", 1, DUE_MS, 500).failed("m", 1, DUE_MS);
        history.pushed.computeIfPresent("m", (id, was) -> was.with(TOO_LATE));
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    private void violated(String violation) {
        assertThat(new CancelIsFinal().check(history.run())).containsExactly(violation);
    }
}
