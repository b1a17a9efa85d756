package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.history.Settling.Answered.DONE;
import static io.mykit.delay.test.fault.history.Settling.Answered.LOST;
import static io.mykit.delay.test.fault.history.Settling.Answered.NOTHING_KNOWN;
import static io.mykit.delay.test.fault.history.Settling.Answered.PARKED;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Settling.Kind;
import org.junit.jupiter.api.Test;

class AckIsFinalTest {
    private static final long ACK_MS = DUE_MS + 100;
    private static final long UNTIL_MS = DUE_MS + 2_000;

    private final History history = new History().pulled("m").handedOut("m", 1, DUE_MS, UNTIL_MS);

    @Test
    void anAckedMessageIsFinished() {
        history.settled("m", 1, Kind.ACK, ACK_MS, DONE).row("m", MessageStatus.FINISH);
        kept();
    }

    @Test
    void anAckedMessageHasAnotherStatus() {
        history.settled("m", 1, Kind.ACK, ACK_MS, DONE).row("m", MessageStatus.DELAY);
        violated("m: its ack was answered at " + ACK_MS + ", and it is DELAY");
    }

    @Test
    void anAckedMessageHasNoRow() {
        history.settled("m", 1, Kind.ACK, ACK_MS, DONE);
        violated("m: its ack was answered at " + ACK_MS + ", and it has no row");
    }

    @Test
    void aHandOutBeginsAfterTheAnswer() {
        history.settled("m", 1, Kind.ACK, ACK_MS, DONE).row("m", MessageStatus.FINISH);
        history.handedOut("m", 2, ACK_MS + 1, UNTIL_MS + 2_000);
        history.fault("kill-redis", DUE_MS, UNTIL_MS, 0);
        violated("m: handed out 1 ms after its ack was answered at " + ACK_MS);
    }

    @Test
    void aHandOutThatBeganBeforeTheAnswerMayArriveAfterIt() {
        history.settled("m", 1, Kind.ACK, UNTIL_MS + 100, DONE).row("m", MessageStatus.FINISH);
        history.handedOut("m", 2, UNTIL_MS + 100, UNTIL_MS + 2_000);
        kept();
    }

    @Test
    void anAckThatWasRefusedOrNotAnsweredPromisesNothing() {
        history.settled("m", 1, Kind.ACK, ACK_MS, LOST).settled("m", 1, Kind.ACK, ACK_MS, NOTHING_KNOWN);
        history.row("m", MessageStatus.DELETE).handedOut("m", 2, UNTIL_MS, UNTIL_MS + 2_000);
        kept();
    }

    @Test
    void aParkedOutcomeIsLostWithTheDataOfRedisOnly() {
        history.settled("m", 1, Kind.ACK, ACK_MS, PARKED).row("m", MessageStatus.DELAY);
        violated("m: its ack was answered at " + ACK_MS + ", and it is DELAY");
        history.fault("kill-mysql+flush-redis", DUE_MS, UNTIL_MS, 0);
        kept();
    }

    private void kept() {
        assertThat(new AckIsFinal().check(history.run())).isEmpty();
    }

    private void violated(String violation) {
        assertThat(new AckIsFinal().check(history.run())).containsExactly(violation);
    }
}
