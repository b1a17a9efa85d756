package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.List;

/** Producers get the answers of the contract and no others, and what was acknowledged is never unknown. */
final class PlainAnswers implements Invariant {

    @Override
    public List<String> check(Run run) {
        return run.surprises();
    }
}
