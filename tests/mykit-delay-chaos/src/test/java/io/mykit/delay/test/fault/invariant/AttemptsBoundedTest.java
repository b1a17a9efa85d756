package io.mykit.delay.test.fault.invariant;

import static io.mykit.delay.test.fault.invariant.History.DUE_MS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttemptsBoundedTest {
    private final History history = new History().callback("m");

    @Test
    void asManyAsThePolicyAllows() {
        called(3);
        assertThat(new AttemptsBounded().check(history.run())).isEmpty();
    }

    @Test
    void oneMoreForEachCut() {
        called(4);
        assertThat(new AttemptsBounded().check(history.run()))
                .singleElement()
                .asString()
                .startsWith("m: 4 attempts, 4 of them far from any fault, and 3 allowed");
        history.fault("freeze-receiver", DUE_MS, DUE_MS + 1, 0);
        assertThat(new AttemptsBounded().check(history.run())).hasSize(1);
        history.fault("kill-leader", DUE_MS, DUE_MS + 1, 0);
        assertThat(new AttemptsBounded().check(history.run())).isEmpty();
    }

    @Test
    void aNumberAboveTheMaximum() {
        history.called("m", 4, DUE_MS, 500).fault("kill-leader", DUE_MS, DUE_MS + 1, 0);
        assertThat(new AttemptsBounded().check(history.run())).containsExactly("m: attempt 4 of 3");
    }

    private void called(int times) {
        for (int i = 0; i < times; i++) {
            history.called("m", Math.min(i + 1, 3), DUE_MS + i * 10_000L, 500);
        }
    }
}
