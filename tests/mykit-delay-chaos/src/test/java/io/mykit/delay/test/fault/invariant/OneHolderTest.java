package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.history.Settling.Answered.DONE;
import static io.mykit.delay.test.fault.history.Settling.Answered.NOTHING_KNOWN;
import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Settling.Kind;
import org.junit.jupiter.api.Test;

class OneHolderTest {
    private static final long UNTIL_MS = DUE_MS + 2_000;
    private static final long LATER_MS = UNTIL_MS + 2_000;

    private final History history = new History().pulled("m").handedOut("m", 1, DUE_MS, UNTIL_MS);

    @Test
    void aHandOutAfterTheEndOfTheHoldBefore() {
        history.handedOut("m", 2, UNTIL_MS, LATER_MS);
        kept();
    }

    @Test
    void aHandOutDuringTheHoldBefore() {
        history.handedOut("m", 2, UNTIL_MS - 1, LATER_MS);
        violated(1, UNTIL_MS - 1);
    }

    @Test
    void aLeaderOrAReceiptThatIsLostIsNoExcuse() {
        history.handedOut("m", 2, UNTIL_MS - 1, LATER_MS);
        history.fault("kill-leader+delete-held", DUE_MS, UNTIL_MS, 100).fault("cut-redis", DUE_MS, UNTIL_MS, 100);
        violated(1, UNTIL_MS - 1);
    }

    @Test
    void aRedisThatLostItsDataForgetsHolds() {
        history.handedOut("m", 2, UNTIL_MS - 1, LATER_MS);
        history.fault("kill-leader+flush-redis", DUE_MS + 100, DUE_MS + 200, 100);
        kept();
    }

    @Test
    void aLossAfterTheHandOutIsNoExcuse() {
        history.handedOut("m", 2, UNTIL_MS - 1, LATER_MS);
        history.fault("flush-redis", UNTIL_MS, UNTIL_MS + 10, 100);
        violated(1, UNTIL_MS - 1);
    }

    @Test
    void theConsumerGaveTheMessageBack() {
        for (Kind kind : new Kind[] {Kind.NACK, Kind.RELEASE, Kind.BURY, Kind.ACK}) {
            History given = new History().pulled("m").handedOut("m", 1, DUE_MS, UNTIL_MS);
            given.settled("m", 1, kind, DUE_MS + 10, NOTHING_KNOWN).handedOut("m", 2, DUE_MS + 10, LATER_MS);
            assertThat(new OneHolder().check(given.run())).isEmpty();
        }
    }

    @Test
    void theConsumerGaveTheMessageBackAfterwards() {
        history.settled("m", 1, Kind.RELEASE, DUE_MS + 10, DONE).handedOut("m", 2, DUE_MS + 9, LATER_MS);
        violated(1, DUE_MS + 9);
    }

    @Test
    void anExtendedHoldEndsLater() {
        history.extended("m", 1, Kind.EXTEND, DUE_MS + 10, DONE, UNTIL_MS + 500);
        history.handedOut("m", 2, UNTIL_MS + 400, LATER_MS);
        violated(100, UNTIL_MS + 400);
    }

    private void kept() {
        assertThat(new OneHolder().check(history.run())).isEmpty();
    }

    private void violated(long earlyMs, long fromMs) {
        assertThat(new OneHolder().check(history.run()))
                .containsExactly("m: handed out at " + fromMs + " under r2, " + earlyMs
                        + " ms before the end of the hold r1 of " + DUE_MS);
    }
}
