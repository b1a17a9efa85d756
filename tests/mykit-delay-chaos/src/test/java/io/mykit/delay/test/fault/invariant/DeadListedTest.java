package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Dead;
import org.junit.jupiter.api.Test;

class DeadListedTest {
    private final History history = new History().callback("m").failed("m", 3, DUE_MS);

    @Test
    void theListHasTheDeadAndNoOthers() {
        history.dead("m", "ATTEMPTS", 3).row("finished", MessageStatus.FINISH);
        assertThat(new DeadListed().check(history.run())).isEmpty();
    }

    @Test
    void aDeadLetterThatIsNotListed() {
        violated("m: FAILED, and not listed");
    }

    @Test
    void aMessageThatIsListedAndNotDead() {
        history.dead("m", "ATTEMPTS", 3).dead("respawned", "ATTEMPTS", 3).row("respawned", MessageStatus.DELAY);
        violated("respawned: listed, and DELAY");
    }

    @Test
    void anEntryWithoutARow() {
        history.dead("m", "ATTEMPTS", 3).dead("gone", "ATTEMPTS", 3);
        violated("gone: listed, and without a row");
    }

    @Test
    void anotherTopicOtherAttemptsOrAnotherReason() {
        history.dead.add(new Dead("m", "other", "ATTEMPTS", 3));
        violated("m: listed with topic other, and the row has t");
        history.dead.clear();
        history.dead("m", "ATTEMPTS", 2);
        violated("m: listed with 2 attempts, and the row has 3");
        history.dead.clear();
        history.dead("m", "REFUSED", 3);
        violated("m: listed as REFUSED instead of ATTEMPTS");
        history.called("m", 1, DUE_MS, Callback.GONE);
        assertThat(new DeadListed().check(history.run())).isEmpty();
    }

    private void violated(String violation) {
        assertThat(new DeadListed().check(history.run())).containsExactly(violation);
    }
}
