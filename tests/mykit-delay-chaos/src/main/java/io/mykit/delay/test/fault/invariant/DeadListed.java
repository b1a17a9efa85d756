package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Dead;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Settling.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of dead letters has a row for each message in FAILED and no others, with its topic, its attempts and the reason. */
final class DeadListed implements Invariant {

    @Override
    public List<String> check(Run run) {
        Map<String, Dead> listed = run.dead().stream().collect(Collectors.toMap(Dead::id, Function.identity()));
        List<String> violations = new ArrayList<>();
        for (Row row : run.rows().values()) {
            if (row.status() == MessageStatus.FAILED && !listed.containsKey(row.id())) {
                violations.add(row.id() + ": FAILED, and not listed");
            }
        }
        for (Dead dead : run.dead()) {
            String why = judge(run, dead, run.rows().get(dead.id()));
            if (!why.isEmpty()) {
                violations.add(dead.id() + ": " + why);
            }
        }
        return violations;
    }

    private static String judge(Run run, Dead dead, Row row) {
        if (row == null || row.status() != MessageStatus.FAILED) {
            return "listed, and " + (row == null ? "without a row" : row.status());
        }
        if (!dead.topic().equals(row.topic())) {
            return "listed with topic " + dead.topic() + ", and the row has " + row.topic();
        }
        if (dead.attempts() != row.attempts()) {
            return "listed with " + dead.attempts() + " attempts, and the row has " + row.attempts();
        }
        boolean buried = run.pulls().isPulled(row) && run.pulls().may(Kind.BURY, row.id());
        if (buried && dead.reason().equals("BURIED")) {
            return "";
        }
        String reason = reason(run.callbacks().of(dead.id()));
        return dead.reason().equals(reason) ? "" : "listed as " + dead.reason() + " instead of " + reason;
    }

    private static String reason(List<Call> calls) {
        return calls.stream().anyMatch(call -> call.status() == Callback.GONE) ? "REFUSED" : "ATTEMPTS";
    }
}
