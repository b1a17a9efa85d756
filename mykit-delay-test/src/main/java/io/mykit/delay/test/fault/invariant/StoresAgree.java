package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import java.util.ArrayList;
import java.util.List;

/** At rest MySQL's unfinished rows are what Redis holds and what waits to be put there, and nothing is astray. */
final class StoresAgree implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>(run.index().orphans());
        for (Row row : run.rows().values()) {
            boolean wanted = row.status().isUnfinished() && row.status() != MessageStatus.WAIT_PUT;
            if (wanted && !run.index().pool().contains(row.id())) {
                violations.add(row.id() + ": " + row.status() + " in MySQL, unknown to Redis");
            }
        }
        for (String id : run.index().pool()) {
            Row row = run.rows().get(id);
            if (row == null || !row.status().isUnfinished()) {
                violations.add(id + ": in Redis, " + (row == null ? "unknown to MySQL" : row.status() + " in MySQL"));
            }
        }
        return violations;
    }
}
