package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Copy;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * At rest MySQL's unfinished rows are what Redis holds and what waits to be put there, in the same version with the same due
 * time and body; and nothing is astray.
 */
final class StoresAgree implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>(run.index().orphans());
        run.index().empty().forEach((id, key) -> {
            if (!mayBeLeftOver(run, id)) {
                violations.add(id + ": in " + key + " without a message");
            }
        });
        for (Row row : run.rows().values()) {
            if (row.belongsIntoRedis() && !run.index().pool().containsKey(row.id())) {
                violations.add(row.id() + ": " + row.status() + " in MySQL, unknown to Redis");
            }
        }
        run.index().pool().forEach((id, copy) -> {
            String why = judge(copy, run.rows().get(id));
            if (!why.isEmpty()) {
                violations.add(id + ": " + why);
            }
        });
        return violations;
    }

    /** Without its content, Redis does not know the topic of a message that ends, and so not its entry, which is dropped when it is due. */
    private static boolean mayBeLeftOver(Run run, String id) {
        Row row = run.rows().get(id);
        return row != null
                && !row.status().isUnfinished()
                && run.windows().stream().anyMatch(window -> window.kinds().contains("delete-pool"));
    }

    private static String judge(Copy copy, Row row) {
        if (row == null || !row.status().isUnfinished()) {
            return "in Redis, " + (row == null ? "unknown to MySQL" : row.status() + " in MySQL");
        }
        if (copy.version() != row.version()) {
            return "version " + copy.version() + " in Redis, version " + row.version() + " in MySQL";
        }
        if (copy.dueMs() != row.nextAttemptMs()) {
            return "due at " + copy.dueMs() + " in Redis, at " + row.nextAttemptMs() + " in MySQL";
        }
        return copy.body().equals(row.body()) ? "" : "one body in Redis, another in MySQL";
    }
}
