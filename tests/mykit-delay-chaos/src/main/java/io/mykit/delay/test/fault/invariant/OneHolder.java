package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Settling;
import io.mykit.delay.test.fault.history.Settling.Answered;
import io.mykit.delay.test.fault.history.Settling.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * Two consumers never hold a message at the same time: a hand-out begins when the hold before it is over, or after its consumer has
 * settled the message. A change of the leader and a lost receipt are no exceptions; a fault that loses the data of Redis is one.
 */
final class OneHolder implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        run.pulls().byId().forEach((id, holds) -> {
            for (int i = 1; i < holds.size(); i++) {
                HandedOut before = holds.get(i - 1);
                HandedOut after = holds.get(i);
                long endMs = endMs(run, before);
                if (after.fromMs() < endMs && !isLost(run, before, after)) {
                    violations.add(id + ": handed out at " + after.fromMs() + " under " + after.receipt() + ", "
                            + (endMs - after.fromMs()) + " ms before the end of the hold " + before.receipt() + " of "
                            + before.fromMs());
                }
            }
        });
        return violations;
    }

    /** The earliest end: a call that may have settled the message, or the end that the consumer knows. */
    private static long endMs(Run run, HandedOut hold) {
        List<Settling> own = run.pulls().of(hold.id()).filter(hold::isOf).toList();
        long untilMs = own.stream()
                .filter(settling -> settling.kind() == Kind.EXTEND && settling.answered() == Answered.DONE)
                .mapToLong(Settling::untilMs)
                .reduce(hold.untilMs(), (one, two) -> two);
        return own.stream()
                .filter(settling -> settling.kind() != Kind.EXTEND)
                .mapToLong(Settling::askedMs)
                .reduce(untilMs, Math::min);
    }

    private static boolean isLost(Run run, HandedOut before, HandedOut after) {
        return run.windows().stream()
                .anyMatch(window -> LostHolds.mayLose(window) && window.touches(before.fromMs(), after.fromMs()));
    }
}
