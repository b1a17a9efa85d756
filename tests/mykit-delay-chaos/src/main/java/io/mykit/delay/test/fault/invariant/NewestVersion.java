package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What was acknowledged last is what arrives, and what the row says: never an older body or due time, and nothing that was
 * refused. An older version may only have arrived before the newer one was acknowledged: then the message began again.
 */
final class NewestVersion implements Invariant {

    @Override
    public List<String> check(Run run) {
        List<String> violations = new ArrayList<>();
        Stream<Seen> pulled = run.pulls().handedOut().stream().map(HandedOut::seen);
        for (Seen seen : Stream.concat(run.seen().stream(), pulled).toList()) {
            Pushed pushed = run.pushed().get(seen.id());
            String why = pushed == null ? "" : judge(run, pushed, seen);
            if (!why.isEmpty()) {
                violations.add(seen.id() + ": " + why);
            }
        }
        for (Row row : run.rows().values()) {
            Pushed pushed = run.pushed().get(row.id());
            String why = pushed == null ? "" : judge(pushed, row);
            if (!why.isEmpty()) {
                violations.add(row.id() + ": " + why);
            }
        }
        return violations;
    }

    private static String judge(Run run, Pushed pushed, Seen seen) {
        Optional<Version> arrived = pushed.version(seen.body(), seen.dueMs());
        if (arrived.isEmpty()) {
            return "arrived with a body that nobody pushed: " + seen.body();
        }
        Version version = arrived.get();
        if (!version.isAcknowledged() && !version.inDoubt()) {
            return text(version) + " arrived at " + seen.atMs() + ", due at " + seen.dueMs() + ", and was refused: "
                    + pushed.refusals();
        }
        Optional<Version> successor = pushed.successor(version);
        if (successor.isEmpty() || run.beganAgain(seen.id(), successor.get())) {
            return "";
        }
        long afterMs = seen.atMs() - successor.get().acknowledgedMs();
        return afterMs > 0
                ? text(version) + " arrived " + afterMs + " ms after " + text(successor.get()) + " was acknowledged"
                : "";
    }

    private static String judge(Pushed pushed, Row row) {
        Optional<Version> stored = pushed.version(row.body(), row.dueMs());
        if (stored.isEmpty()) {
            return "stored with a body that nobody pushed: " + row.body();
        }
        return pushed.successor(stored.get())
                .map(successor -> text(stored.get()) + " is in its row, and " + text(successor) + " was acknowledged")
                .orElse("");
    }

    private static String text(Version version) {
        return "version " + version.number();
    }
}
