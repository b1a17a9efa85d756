package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import org.junit.jupiter.api.Test;

class CancelIsFinalTest {
    private static final Cancel CANCELLED = new Cancel(Answered.CANCELLED, DUE_MS - 10);
    private static final Cancel TOO_LATE = new Cancel(Answered.ALREADY_DISPATCHED, DUE_MS + 10);
    private static final Cancel UNKNOWN = new Cancel(Answered.NOTHING_KNOWN, DUE_MS - 10);

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
    void onlyAnAttemptThatFailedBeforeInAFaultMayStillArrive() {
        history.acknowledged("m", CANCELLED).row("m", MessageStatus.DELETE, 1).arrived("m", DUE_MS);
        assertThat(new CancelIsFinal().check(history.run())).hasSize(1);
        history.fault(DUE_MS - 100, DUE_MS + 100);
        assertThat(new CancelIsFinal().check(history.run())).isEmpty();
    }

    @Test
    void cancelledAfterItWasDelivered() {
        history.acknowledged("m", new Cancel(Answered.CANCELLED, DUE_MS + 30)).arrived("m", DUE_MS);
        violated("m: had arrived 30 ms before it was said to be cancelled");
    }

    @Test
    void dispatchedAndNeverArrived() {
        history.acknowledged("m", TOO_LATE).row("m", MessageStatus.DELETE);
        violated("m: ALREADY_DISPATCHED, and never arrived");
    }

    private void violated(String violation) {
        assertThat(new CancelIsFinal().check(history.run())).containsExactly(violation);
    }
}
