package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Every acknowledged push ends delivered, cancelled by somebody, or still scheduled, and nothing that is due is left
 * over. What was never answered may be there or not; if it is, the same holds for it.
 */
final class NoLoss implements Invariant {

    @Override
    public List<String> check(Run run) {
        Set<String> seen = run.seen().stream().map(Seen::id).collect(Collectors.toSet());
        List<String> violations = new ArrayList<>();
        for (Pushed pushed : run.pushed().values()) {
            String why = judge(pushed, run.rows().get(pushed.id()), seen.contains(pushed.id()));
            if (!why.isEmpty()) {
                violations.add(pushed.id() + ": " + why);
            }
        }
        for (String id : seen) {
            if (!run.pushed().containsKey(id)) {
                violations.add(id + ": arrived, and nobody pushed it");
            }
        }
        return violations;
    }

    private static String judge(Pushed pushed, Row row, boolean arrived) {
        if (row == null) {
            return pushed.acknowledged() ? "acknowledged, and has no row" : arrived ? "arrived, and has no row" : "";
        }
        boolean cancelled = pushed.wasAnswered(Answered.CANCELLED) || pushed.wasAnswered(Answered.NOTHING_KNOWN);
        if (row.status() == MessageStatus.FINISH) {
            return arrived ? "" : "FINISH, and never arrived";
        }
        if (row.status() == MessageStatus.DELETE) {
            return cancelled ? "" : "DELETE, and nobody cancelled it";
        }
        if (row.status().isUnfinished()) {
            return pushed.sleeps() ? "" : "left over as " + row.status();
        }
        return "given up as " + row.status();
    }
}
