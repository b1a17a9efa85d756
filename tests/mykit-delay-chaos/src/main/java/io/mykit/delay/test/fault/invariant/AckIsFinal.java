package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Settling;
import io.mykit.delay.test.fault.history.Settling.Answered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A message whose ack was answered with 200 is FINISH in the end, and no hand-out of it begins after the answer, whatever is
 * broken. An outcome that was parked is in Redis alone until the database has it: a fault that loses the data of Redis meanwhile
 * may lose it.
 */
final class AckIsFinal implements Invariant {

    @Override
    public List<String> check(Run run) {
        Map<String, List<HandedOut>> handedOut = run.pulls().byId();
        List<String> violations = new ArrayList<>();
        for (Settling ack : run.pulls().settlings()) {
            if (!ack.isFinal() || mayBeLost(run, ack)) {
                continue;
            }
            Row row = run.rows().get(ack.id());
            if (row == null || row.status() != MessageStatus.FINISH) {
                violations.add(ack.id() + ": its ack was answered at " + ack.answeredMs() + ", and it "
                        + (row == null ? "has no row" : "is " + row.status()));
            }
            handedOut.getOrDefault(ack.id(), List.of()).stream()
                    .filter(later -> later.fromMs() > ack.answeredMs())
                    .forEach(later -> violations.add(ack.id() + ": handed out " + (later.fromMs() - ack.answeredMs())
                            + " ms after its ack was answered at " + ack.answeredMs()));
        }
        return violations;
    }

    private static boolean mayBeLost(Run run, Settling ack) {
        return ack.answered() == Answered.PARKED
                && run.windows().stream()
                        .anyMatch(window -> LostHolds.mayLose(window) && window.healedMs() >= ack.askedMs());
    }
}
