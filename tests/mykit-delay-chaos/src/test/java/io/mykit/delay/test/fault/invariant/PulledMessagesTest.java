package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.history.Settling.Answered.DONE;
import static io.mykit.delay.test.fault.history.Settling.Answered.LOST;
import static io.mykit.delay.test.fault.history.Settling.Answered.NOTHING_KNOWN;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Settling.Kind;
import org.junit.jupiter.api.Test;

/** The promises to all messages hold for those that consumers pull. */
class PulledMessagesTest {
    private static final long UNTIL_MS = DUE_MS + 2_000;

    private final History history = new History().pulled("m");

    @Test
    void aGoodLife() {
        history.handedOut("m", 1, DUE_MS, UNTIL_MS).settled("m", 1, Kind.NACK, DUE_MS + 10, DONE);
        history.handedOut("m", 2, DUE_MS + 500, UNTIL_MS).settled("m", 2, Kind.ACK, DUE_MS + 600, NOTHING_KNOWN);
        history.row("m", MessageStatus.FINISH);
        assertThat(Invariants.check(history.run())).isEmpty();
    }

    @Test
    void finishedWithoutAConsumer() {
        violated(history.row("m", MessageStatus.FINISH), "NoLoss");
    }

    @Test
    void finishedWithoutAnAck() {
        history.handedOut("m", 1, DUE_MS, UNTIL_MS).settled("m", 1, Kind.ACK, DUE_MS + 10, LOST);
        violated(history.row("m", MessageStatus.FINISH), "NoLoss");
    }

    @Test
    void leftOver() {
        history.handedOut("m", 1, DUE_MS, UNTIL_MS).inRedis("m");
        violated(history.row("m", MessageStatus.DELAY), "NoLoss");
    }

    @Test
    void pulledAndNotPushed() {
        violated(new History().handedOut("x", 1, DUE_MS, UNTIL_MS), "NoLoss");
    }

    @Test
    void aDeadLetterNeedsAllAttemptsOrAConsumerThatBuriesIt() {
        history.handedOut("m", 1, DUE_MS, UNTIL_MS).failed("m", 1, DUE_MS);
        violated(history.dead("m", "ATTEMPTS", 1), "NoLoss");
        history.settled("m", 1, Kind.BURY, DUE_MS + 10, NOTHING_KNOWN);
        history.dead.clear();
        assertThat(Invariants.check(history.dead("m", "BURIED", 1).run())).isEmpty();
    }

    @Test
    void aDeadLetterThatNoConsumerBuried() {
        history.handedOut("m", 3, DUE_MS, UNTIL_MS).failed("m", 3, DUE_MS);
        violated(history.dead("m", "BURIED", 3), "DeadListed");
    }

    @Test
    void tooManyAttempts() {
        history.handedOut("m", 4, DUE_MS, UNTIL_MS).settled("m", 4, Kind.ACK, DUE_MS + 10, DONE);
        violated(history.row("m", MessageStatus.FINISH), "AttemptsBounded");
    }

    @Test
    void early() {
        history.handedOut("m", 1, DUE_MS - 1, UNTIL_MS).settled("m", 1, Kind.ACK, DUE_MS + 10, DONE);
        violated(history.row("m", MessageStatus.FINISH), "NeverEarly");
    }

    @Test
    void lateTheFirstTimeOnly() {
        long lateMs = DUE_MS + 5_001;
        history.handedOut("m", 1, lateMs, lateMs + 2_000).settled("m", 1, Kind.ACK, lateMs + 10, DONE);
        violated(history.row("m", MessageStatus.FINISH), "NotLate");
        history.handedOut("m", 1, DUE_MS, UNTIL_MS);
        assertThat(Invariants.check(history.run())).isEmpty();
    }

    @Test
    void handedOutAfterACancel() {
        History cancelled =
                new History().pulled("m").acknowledged("m", new Cancel(Answered.CANCELLED, DUE_MS - 20, DUE_MS - 10));
        cancelled.handedOut("m", 1, DUE_MS, UNTIL_MS);
        violated(cancelled.row("m", MessageStatus.DELETE), "CancelIsFinal");
    }

    @Test
    void cancelledBetweenTwoAttempts() {
        History cancelled =
                new History().pulled("m").acknowledged("m", new Cancel(Answered.CANCELLED, DUE_MS + 20, DUE_MS + 30));
        cancelled.handedOut("m", 1, DUE_MS, UNTIL_MS).settled("m", 1, Kind.NACK, DUE_MS + 10, DONE);
        assertThat(Invariants.check(cancelled.row("m", MessageStatus.DELETE).run()))
                .isEmpty();
    }

    @Test
    void cancelledAndFinished() {
        History cancelled =
                new History().pulled("m").acknowledged("m", new Cancel(Answered.CANCELLED, DUE_MS + 20, DUE_MS + 30));
        cancelled.handedOut("m", 1, DUE_MS, UNTIL_MS).settled("m", 1, Kind.ACK, DUE_MS + 40, DONE);
        violated(cancelled.row("m", MessageStatus.FINISH), "CancelIsFinal");
    }

    private static void violated(History history, String... names) {
        assertThat(Invariants.check(history.run())).containsOnlyKeys(names);
    }
}
