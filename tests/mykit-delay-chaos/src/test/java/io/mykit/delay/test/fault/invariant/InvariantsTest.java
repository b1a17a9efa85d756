package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static io.mykit.delay.test.fault.invariant.History.SENT_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.ClockSeen;
import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Unlively;
import org.junit.jupiter.api.Test;

/** All of them together, and those that are short. */
class InvariantsTest {
    private final History history = new History();

    @Test
    void aGoodRunBreaksNothing() {
        history.acknowledged("m").row("m", MessageStatus.FINISH).arrived("m", DUE_MS);
        history.fault(DUE_MS, DUE_MS + 100);
        history.epochs.add(new EpochSeen(0, DUE_MS, 5));
        history.epochs.add(new EpochSeen(1, DUE_MS, 4));
        history.epochs.add(new EpochSeen(0, DUE_MS, 6));
        assertThat(Invariants.check(history.run())).isEmpty();
    }

    @Test
    void earlyByItsOwnDueTime() {
        violated(history.acknowledged("m").row("m", MessageStatus.FINISH).arrived("m", DUE_MS - 1), "NeverEarly");
    }

    @Test
    void earlyByWhatItsProducerMeant() {
        history.acknowledged("m").row("m", MessageStatus.FINISH, 0, SENT_MS);
        history.seen.add(new Seen("m", "t", "body 0", SENT_MS, DUE_MS - 1));
        violated(history, "NeverEarly");
    }

    @Test
    void callbackThatIsRefusedTooEarly() {
        history.callback("m").row("m", MessageStatus.FINISH);
        violated(history.called("m", 1, DUE_MS - 1, 422).called("m", 2, DUE_MS + 1_000, 204), "NeverEarly");
    }

    @Test
    void oneThatIsEarlySaysBothTimesAndWhatTheClocksShowed() {
        history.acknowledged("m").row("m", MessageStatus.FINISH).arrived("m", DUE_MS - 1);
        history.clocks.add(new ClockSeen("node-1", DUE_MS - 900, -1.25));
        history.clocks.add(new ClockSeen("node-1", DUE_MS - 90_000, 7));
        assertThat(Invariants.check(history.run()).toString())
                .contains("m: 1 ms early: arrived " + (DUE_MS - 1), "carries due time " + DUE_MS, "producer meant ")
                .contains("when it arrived: node-1 at " + (DUE_MS - 900) + " -1.25 ms ahead")
                .doesNotContain("7.0 ms");
    }

    @Test
    void anEpochThatFalls() {
        history.epochs.add(new EpochSeen(0, 1, 5));
        history.epochs.add(new EpochSeen(0, 2, 4));
        violated(history, "OneMover");
    }

    @Test
    void noPathOfTheTable() {
        history.flow.add("m: was DELAY, logged READY to FINISH");
        violated(history, "LegalFlow");
    }

    @Test
    void nobodyLeadsOrTooLate() {
        violated(history.fault(1, 2, -1), "SomeoneLeads");
        violated(new History().fault(1, 2, 6_001), "SomeoneLeads");
        assertThat(Invariants.check(new History().fault(1, 2, 6_000).run())).isEmpty();
    }

    @Test
    void aNodeThatDoesNotLive() {
        history.unlively.add(new Unlively("one", 1, "a loop has not ticked"));
        violated(history, "LoopsLive");
    }

    @Test
    void anAnswerThatTheContractDoesNotKnow() {
        history.surprises.add("push of m was answered with 500");
        violated(history, "PlainAnswers");
    }

    private static void violated(History history, String name) {
        assertThat(Invariants.check(history.run())).containsOnlyKeys(name);
    }
}
