package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.List;

/** A promise. Stateless. */
public interface Invariant {
    /** As in reports. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Where the run broke it, message by message; empty = kept. */
    List<String> check(Run run);
}
