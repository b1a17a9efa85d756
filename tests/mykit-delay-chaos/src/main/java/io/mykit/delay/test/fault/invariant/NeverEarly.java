package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.ClockSeen;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nothing arrives before its due time, neither the one that it carries nor the one that its producer meant. Says of each
 * that does both times, and what the clocks showed about then.
 */
final class NeverEarly implements Invariant {
    private static final long ABOUT_MS = 2_500;

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        for (Seen seen : arrivals(run)) {
            Optional<Version> version = Optional.ofNullable(run.pushed().get(seen.id()))
                    .flatMap(pushed -> pushed.version(seen.body(), seen.dueMs()));
            long meantMs = version.map(Version::earliestDueMs).orElse(seen.dueMs());
            long earlyMs = Math.max(seen.dueMs(), meantMs) - seen.atMs();
            if (earlyMs > 0) {
                violations.add(seen.id() + ": " + earlyMs + " ms early: arrived " + seen.atMs() + ", carries due time "
                        + seen.dueMs()
                        + version.map(known -> meant(run, known, seen)).orElse(", producer meant an unknown time"));
            }
        }
        return violations;
    }

    /** An attempt that its receiver refused must not be early either, nor one that a consumer pulled. */
    private static List<Seen> arrivals(Run run) {
        Stream<Seen> refused = run.callbacks().calls().stream()
                .filter(call -> !call.isAccepted())
                .map(Call::seen);
        Stream<Seen> pulled = run.pulls().handedOut().stream().map(HandedOut::seen);
        return Stream.of(run.seen().stream(), refused, pulled)
                .flatMap(each -> each)
                .toList();
    }

    private static String meant(Run run, Version version, Seen seen) {
        return ", producer meant " + version.earliestDueMs() + " by version " + version.number()
                + "; clocks when it was pushed: " + clocks(run, version.sentMs()) + ", when it arrived: "
                + clocks(run, seen.atMs());
    }

    private static String clocks(Run run, long atMs) {
        String clocks = run.clocks().stream()
                .filter(clock -> Math.abs(clock.atMs() - atMs) <= ABOUT_MS)
                .map(NeverEarly::text)
                .collect(Collectors.joining(", "));
        return clocks.isEmpty() ? "not looked at" : clocks;
    }

    private static String text(ClockSeen clock) {
        return clock.of() + " at " + clock.atMs() + " " + clock.aheadMs() + " ms ahead";
    }
}
