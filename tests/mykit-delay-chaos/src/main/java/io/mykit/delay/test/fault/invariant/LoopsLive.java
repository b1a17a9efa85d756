package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.List;

/** A node that runs says that it lives, whatever its parts do: a supervisor must not kill it for their sake. */
final class LoopsLive implements Invariant {

    @Override
    public List<String> check(Run run) {
        return run.unlively().stream()
                .map(red -> red.node() + " at " + red.atMs() + ": " + red.answer())
                .toList();
    }
}
