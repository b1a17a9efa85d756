package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.history.Window;
import java.util.List;
import org.junit.jupiter.api.Test;

class DuplicatesBoundedTest {
    private final History history = new History();

    @Test
    void onceMoreAroundAFault() {
        history.arrived("m", DUE_MS).fault(DUE_MS, DUE_MS + 100).arrived("m", DUE_MS + 200);
        assertThat(new DuplicatesBounded().check(history.run())).isEmpty();
    }

    @Test
    void farFromAnyFault() {
        long longAfter = DUE_MS + 100 + Window.AFTERMATH.toMillis() + 1;
        history.arrived("m", DUE_MS).fault(DUE_MS, DUE_MS + 100).arrived("m", longAfter);
        violated("m: arrived again at " + longAfter + ", far from any fault");
    }

    /** Its first delivery was cut, and the receiver has many others to answer before the second one. */
    @Test
    void longAfterAFaultIfTheReceiverIsSlow() {
        long longAfter = DUE_MS + 100 + Window.AFTERMATH.toMillis() + 1;
        history.callback("m", new Callback(false, 422, 0, List.of(1_000L), true));
        history.arrived("m", DUE_MS).fault(DUE_MS, DUE_MS + 100).arrived("m", longAfter);
        assertThat(new DuplicatesBounded().check(history.run())).isEmpty();
        history.arrived("m", longAfter + 1);
        violated("m: arrived again at " + (longAfter + 1) + ", far from any fault");
    }

    @Test
    void eachVersionOfAMessageThatBeganAgain() {
        Version first = History.version(0, History.DELAY_MS, History.SENT_MS).acknowledged(History.SENT_MS);
        Version next = History.version(1, 0, DUE_MS + 10).acknowledged(DUE_MS + 11);
        history.versions("m", first, next);
        history.arrived("m", DUE_MS).arrived("m", 1, DUE_MS + 10, DUE_MS + 12);
        assertThat(new DuplicatesBounded().check(history.run())).isEmpty();
        history.arrived("m", 1, DUE_MS + 10, DUE_MS + 15);
        violated("m: arrived again at " + (DUE_MS + 15) + ", far from any fault");
    }

    @Test
    void tooOften() {
        history.fault(DUE_MS, DUE_MS + 100);
        history.arrived("m", DUE_MS).arrived("m", DUE_MS + 1).arrived("m", DUE_MS + 2);
        violated("m: arrived 3 times");
    }

    @Test
    void moreThanWereInFlight() {
        long later = DUE_MS + 60_000;
        history.fault(later, later + 100);
        history.arrived("long ago", DUE_MS).arrived("long ago", later + 50);
        violated("fault: 1 duplicates, 0 in flight: [long ago]");
    }

    private void violated(String violation) {
        assertThat(new DuplicatesBounded().check(history.run())).containsExactly(violation);
    }
}
