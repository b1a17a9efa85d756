package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Run;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All promises. */
public final class Invariants {
    private static final List<Invariant> ALL = List.of(
            new NoLoss(),
            new NeverEarly(),
            new NotLate(),
            new NewestVersion(),
            new CancelIsFinal(),
            new AckIsFinal(),
            new OneHolder(),
            new DuplicatesBounded(),
            new GapKept(),
            new AttemptsBounded(),
            new DeadListed(),
            new OneMover(),
            new StoresAgree(),
            new LegalFlow(),
            new SomeoneLeads(),
            new LoopsLive(),
            new PlainAnswers(),
            new Apart());

    private Invariants() {}

    /** Violations by the invariant's name; without the kept ones. */
    public static Map<String, List<String>> check(Run run) {
        Map<String, List<String>> violations = new LinkedHashMap<>();
        for (Invariant invariant : ALL) {
            List<String> found = invariant.check(run);
            if (!found.isEmpty()) {
                violations.put(invariant.name(), found);
            }
        }
        return violations;
    }
}
