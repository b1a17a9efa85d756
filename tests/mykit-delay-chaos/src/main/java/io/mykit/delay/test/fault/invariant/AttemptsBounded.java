package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Run;
import java.util.ArrayList;
import java.util.List;

/**
 * A receiver gets a message no more often than its policy allows, and once more for each attempt whose record a fault cut. No
 * request has a number above the maximum.
 */
final class AttemptsBounded implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        run.callbacks().byId().forEach((id, calls) -> {
            Callback plan = run.callbacks().plan(id).orElseThrow();
            long counted = calls.stream().filter(call -> !isCut(run, call)).count();
            if (counted > plan.maxAttempts()) {
                violations.add(id + ": " + calls.size() + " attempts, " + counted + " of them far from any fault, and "
                        + plan.maxAttempts() + " allowed: " + calls);
            }
            calls.stream()
                    .filter(call -> call.attempt() > plan.maxAttempts())
                    .forEach(call -> violations.add(id + ": attempt " + call.attempt() + " of " + plan.maxAttempts()));
        });
        run.pulls().handedOut().stream()
                .filter(each -> each.attempt() > run.pulls().maxAttempts())
                .forEach(each -> violations.add(each.id() + ": handed out as attempt " + each.attempt() + " of "
                        + run.pulls().maxAttempts()));
        return violations;
    }

    private static boolean isCut(Run run, Call call) {
        return run.windows().stream().anyMatch(window -> window.cuts(call.atMs()));
    }
}
