package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import org.junit.jupiter.api.Test;

class NoLossTest {
    private static final Cancel CANCELLED = new Cancel(Answered.CANCELLED, DUE_MS - 10);

    private final History history = new History();

    @Test
    void deliveredCancelledScheduledAndNeverTakenAreKept() {
        history.acknowledged("delivered").row("delivered", MessageStatus.FINISH).arrived("delivered", DUE_MS);
        history.acknowledged("cancelled", CANCELLED).row("cancelled", MessageStatus.DELETE);
        history.sleeper("sleeps").row("sleeps", MessageStatus.DELAY);
        history.unanswered("refused");
        assertThat(new NoLoss().check(history.run())).isEmpty();
    }

    @Test
    void anAcknowledgedMessageWithoutARow() {
        violated(history.acknowledged("m"), "m: acknowledged, and has no row");
    }

    @Test
    void finishedAndNeverArrivedAlsoIfNobodyWasAnswered() {
        violated(history.acknowledged("m").row("m", MessageStatus.FINISH), "m: FINISH, and never arrived");
        violated(new History().unanswered("u").row("u", MessageStatus.FINISH), "u: FINISH, and never arrived");
    }

    @Test
    void leftOver() {
        violated(history.acknowledged("m").row("m", MessageStatus.READY), "m: left over as READY");
    }

    @Test
    void deletedByNobody() {
        violated(history.acknowledged("m").row("m", MessageStatus.DELETE), "m: DELETE, and nobody cancelled it");
    }

    @Test
    void givenUp() {
        violated(history.acknowledged("m").row("m", MessageStatus.FAILED), "m: given up as FAILED");
    }

    @Test
    void arrivedOutOfNothing() {
        violated(history.unanswered("m").arrived("m", DUE_MS), "m: arrived, and has no row");
        violated(new History().arrived("x", DUE_MS), "x: arrived, and nobody pushed it");
    }

    private static void violated(History history, String violation) {
        assertThat(new NoLoss().check(history.run())).containsExactly(violation);
    }
}
