package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.List;

/** Each message's log is a path of the state table, from its beginning to its row's status. */
final class LegalFlow implements Invariant {

    @Override
    public List<String> check(Run run) {
        return run.flow();
    }
}
