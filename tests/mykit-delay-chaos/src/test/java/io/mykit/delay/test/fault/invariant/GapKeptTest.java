package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Call;
import org.junit.jupiter.api.Test;

class GapKeptTest {
    private final History history = new History().callback("m");

    @Test
    void eachGapOfThePolicy() {
        history.called("m", 1, DUE_MS, 500).called("m", 2, DUE_MS + 1_000, 500).called("m", 3, DUE_MS + 3_000, 204);
        kept();
    }

    @Test
    void theNextAttemptIsTooSoon() {
        history.called("m", 1, DUE_MS, 500).called("m", 2, DUE_MS + 900, 500);
        violated("m: attempt 2 came 900 ms after attempt 1 of " + DUE_MS
                + ", which was answered 500; the gap is 1000 ms");
    }

    /** The sender has given up the attempt before. */
    @Test
    void aReceiverMayReadARequestLate() {
        history.called(new Call("m", "t", "body 0", DUE_MS, 1, DUE_MS, DUE_MS + 800, 500, 0));
        history.called("m", 2, DUE_MS + 1_000, 204);
        kept();
    }

    @Test
    void theReceiverAskedForMoreTime() {
        history.called(new Call("m", "t", "body 0", DUE_MS, 1, DUE_MS, 429, 5_000));
        history.called("m", 2, DUE_MS + 1_000, 204);
        violated("m: attempt 2 came 1000 ms after attempt 1 of " + DUE_MS
                + ", which was answered 429; the gap is 5000 ms");
    }

    @Test
    void anAttemptWhoseRecordWasCutIsMadeAgainAtOnce() {
        history.called("m", 1, DUE_MS, 500).called("m", 1, DUE_MS + 10, 500);
        violated("m: attempt 1 came 10 ms after attempt 1 of " + DUE_MS
                + ", which was answered 500; the gap is 1000 ms");
        history.fault("kill-leader", DUE_MS, DUE_MS + 1, 0);
        kept();
    }

    @Test
    void onceForEachCut() {
        history.fault("kill-leader", DUE_MS, DUE_MS + 1, 0);
        history.called("m", 1, DUE_MS, 500).called("m", 1, DUE_MS + 10, 500).called("m", 1, DUE_MS + 20, 500);
        violated("m: attempt 1 came 10 ms after attempt 1 of " + (DUE_MS + 10)
                + ", which was answered 500; the gap is 1000 ms");
    }

    @Test
    void anAttemptThatWasCountedKeepsItsGapInAFault() {
        history.fault("kill-leader", DUE_MS, DUE_MS + 1, 0);
        history.called("m", 1, DUE_MS, 500).called("m", 2, DUE_MS + 10, 500);
        violated("m: attempt 2 came 10 ms after attempt 1 of " + DUE_MS
                + ", which was answered 500; the gap is 1000 ms");
    }

    /** While the database is away, an attempt has the number 1, whatever the row says. */
    @Test
    void anAttemptWithoutItsRowIsMadeAgainWithTheNumberOfTheRow() {
        history.called("m", 1, DUE_MS, 500).called("m", 1, DUE_MS + 1_000, 500).called("m", 2, DUE_MS + 1_010, 204);
        violated("m: attempt 2 came 10 ms after attempt 1 of " + (DUE_MS + 1_000)
                + ", which was answered 500; the gap is 1000 ms");
        history.fault("doubt-mysql", DUE_MS + 1_000, DUE_MS + 1_001, 0);
        kept();
    }

    @Test
    void faultsOfReceiversAndBrokersCutNoRecord() {
        history.fault("kill-receiver", DUE_MS, DUE_MS + 1, 0).fault("kill-broker", DUE_MS, DUE_MS + 1, 0);
        history.called("m", 1, DUE_MS, 500).called("m", 1, DUE_MS + 10, 500);
        assertThat(new GapKept().check(history.run())).hasSize(1);
    }

    private void kept() {
        assertThat(new GapKept().check(history.run())).isEmpty();
    }

    private void violated(String violation) {
        assertThat(new GapKept().check(history.run())).containsExactly(violation);
    }
}
