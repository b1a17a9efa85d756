package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.history.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A bucket's epoch never falls, not even when the bucket was lost in between: nobody moves by a stale one. */
final class OneMover implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        Map<Integer, Long> highest = new HashMap<>();
        for (EpochSeen seen : run.epochs()) {
            long before = highest.merge(seen.bucket(), seen.epoch(), Math::max);
            if (seen.epoch() < before) {
                violations.add("bucket " + seen.bucket() + ": epoch fell from " + before + " to " + seen.epoch()
                        + " at " + seen.atMs());
            }
        }
        return violations;
    }
}
