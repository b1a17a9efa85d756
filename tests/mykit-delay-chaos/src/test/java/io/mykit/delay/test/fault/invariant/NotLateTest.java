package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;

class NotLateTest {
    private final History history = new History();

    @Test
    void fiveSecondsWithoutAFault() {
        arrivesAfterMs(5_000).isEmpty();
        arrivesAfterMs(5_001)
                .containsExactly("m: arrived 5001 ms after its due time " + DUE_MS + ", 1 ms later than it may");
    }

    @Test
    void fiveSecondsAfterAFaultAndItsNewLeader() {
        history.fault(DUE_MS + 4_000, DUE_MS + 10_000, 1_000);
        arrivesAfterMs(16_000).isEmpty();
        arrivesAfterMs(16_001).hasSize(1);
    }

    @Test
    void aFaultThatBeganWhenItHadToBeThereIsNoExcuse() {
        history.fault(DUE_MS + 5_001, DUE_MS + 10_000);
        arrivesAfterMs(10_001).hasSize(1);
    }

    @Test
    void faultsThatFollowEachOtherAddUp() {
        history.fault(DUE_MS, DUE_MS + 3_000, 0).fault(DUE_MS + 7_000, DUE_MS + 9_000, 0);
        arrivesAfterMs(14_000).isEmpty();
        arrivesAfterMs(14_001).hasSize(1);
    }

    @Test
    void whatALostKeyHeldIsFoundWhenItIsOverdue() {
        history.fault("delete-pool", DUE_MS - 60_000, DUE_MS - 59_000, 0);
        arrivesAfterMs(20_000).hasSize(1);
        history.windows.clear();
        history.fault("delete-pool", DUE_MS - 400, DUE_MS - 400, 0);
        arrivesAfterMs(20_000).isEmpty();
        arrivesAfterMs(20_001).hasSize(1);
    }

    @Test
    void aCallThatAFaultCutMayLeaveAVeto() {
        history.fault(DUE_MS, DUE_MS + 1_000, 0);
        arrivesAfterMs(26_000).hasSize(1);
        for (Answered answered : List.of(Answered.NOTHING_KNOWN, Answered.REFUSED)) {
            history.acknowledged("m", new Cancel(answered, DUE_MS, DUE_MS));
            history.seen.clear();
            history.arrived("m", DUE_MS + 26_000);
            assertThat(new NotLate().check(history.run())).isEmpty();
        }
    }

    @Test
    void whatArrivesAgainWasThere() {
        history.acknowledged("m").arrived("m", DUE_MS).arrived("m", DUE_MS + 60_000);
        assertThat(new NotLate().check(history.run())).isEmpty();
    }

    @Test
    void aBrokerIsNoExcuseForACallbackAndAReceiverIsNoneForABroker() {
        history.fault("kill-broker", DUE_MS, DUE_MS + 1_000, 0);
        arrivesAfterMs(6_000).isEmpty();
        isCalledAfterMs(true, 6_000).hasSize(1);
        history.windows.clear();
        history.fault("kill-receiver", DUE_MS, DUE_MS + 1_000, 0);
        arrivesAfterMs(6_000).hasSize(1);
        isCalledAfterMs(true, 6_000).hasSize(1);
        // An attempt that nobody saw, its gap, and the pause of the circuit.
        isCalledAfterMs(false, 18_000).isEmpty();
        isCalledAfterMs(false, 18_001).hasSize(1);
    }

    @Test
    void theNextAttemptIsDueAfterTheGap() {
        history.callback("m").called("m", 1, DUE_MS, 500).called("m", 2, DUE_MS + 6_000, 204);
        assertThat(new NotLate().check(history.run())).isEmpty();
        history.calls.clear();
        history.called("m", 1, DUE_MS, 500).called("m", 2, DUE_MS + 6_001, 204);
        assertThat(new NotLate().check(history.run()))
                .containsExactly(
                        "m: arrived 5001 ms after its due time " + (DUE_MS + 1_000) + ", 1 ms later than it may");
    }

    @Test
    void anAttemptWithoutAnAnswerEndsAfterItsTimeout() {
        history.callback("m").called("m", 1, DUE_MS, 0).called("m", 2, DUE_MS + 9_000, 204);
        assertThat(new NotLate().check(history.run())).isEmpty();
    }

    private ListAssert<String> isCalledAfterMs(boolean steady, long afterMs) {
        history.seen.clear();
        history.calls.clear();
        history.callback("m", new Callback(steady, 422, 0, History.GAPS_MS));
        history.called("m", 1, DUE_MS + afterMs, 204);
        ListAssert<String> found = assertThat(new NotLate().check(history.run()));
        history.plans.clear();
        return found;
    }

    private ListAssert<String> arrivesAfterMs(long afterMs) {
        history.seen.clear();
        history.acknowledged("m").arrived("m", DUE_MS + afterMs);
        return assertThat(new NotLate().check(history.run()));
    }
}
