package io.mykit.delay.test.fault.invariant;

import static java.util.stream.Collectors.groupingBy;

import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Restore;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Settling.Kind;
import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.history.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Every acknowledged push ends delivered, cancelled by somebody, expired because there was no way to deliver it, or still
 * scheduled, and nothing that is due is left over. What was never answered may be there or not; if it is, the same holds for
 * it.
 */
final class NoLoss implements Invariant {
    /** Of a message that had just fallen due. Shorter than any ttl. */
    private static final long MARGIN_MS = 2_000;

    @Override
    public List<String> check(Run run) {
        Map<String, List<Seen>> seen = run.seen().stream().collect(groupingBy(Seen::id));
        List<String> violations = new ArrayList<>();
        for (Pushed pushed : run.pushed().values()) {
            String why = judge(run, pushed, seen.getOrDefault(pushed.id(), List.of()));
            if (!why.isEmpty()) {
                violations.add(pushed.id() + ": " + why);
            }
        }
        Set<String> unknown = new HashSet<>(seen.keySet());
        run.pulls().handedOut().forEach(each -> unknown.add(each.id()));
        unknown.addAll(run.rows().keySet());
        unknown.removeAll(run.pushed().keySet());
        unknown.forEach(id -> {
            boolean arrived = seen.containsKey(id) || !run.rows().containsKey(id);
            violations.add(id + (arrived ? ": arrived" : ": has a row") + ", and nobody pushed it");
        });
        return violations;
    }

    private static String judge(Run run, Pushed pushed, List<Seen> arrivals) {
        Row row = run.rows().get(pushed.id());
        if (row == null) {
            return pushed.isAcknowledged()
                    ? "acknowledged, and has no row"
                    : arrivals.isEmpty() ? "" : "arrived, and has no row";
        }
        Version version = pushed.version(row.body(), row.dueMs()).orElse(pushed.first());
        return switch (row.status()) {
            case FINISH -> run.pulls().isPulled(row) ? acked(run, row) : arrived(row, arrivals);
            case DELETE -> deleted(pushed, version);
            case EXPIRED -> hasFailed(run, pushed) ? "" : expired(run, pushed, version, row);
            case FAILED -> failed(run, row);
            case WAIT_PUT, DELAY, READY, RESTORE -> version.sleeps() ? "" : "left over as " + row.status();
        };
    }

    private static String arrived(Row row, List<Seen> arrivals) {
        return arrivals.stream().anyMatch(seen -> isOf(row, seen)) ? "" : "FINISH, and never arrived";
    }

    private static String acked(Run run, Row row) {
        boolean held =
                run.pulls().handedOut().stream().anyMatch(each -> each.id().equals(row.id()) && isOf(row, each.seen()));
        return held && run.pulls().may(Kind.ACK, row.id()) ? "" : "FINISH, and no consumer acknowledged it";
    }

    /** The version that the row has. */
    private static boolean isOf(Row row, Seen seen) {
        return seen.body().equals(row.body()) && seen.dueMs() == row.dueMs();
    }

    private static String deleted(Pushed pushed, Version version) {
        if (pushed.cancels().stream().anyMatch(cancel -> cancel.mayEndAfter(version.sentMs()))) {
            return "";
        }
        return "DELETE, and nobody cancelled " + (version.replaces() ? "what it was replaced by" : "it");
    }

    /** A callback expires between two attempts although nothing was in its way. */
    private static boolean hasFailed(Run run, Pushed pushed) {
        return pushed.first().ttlSeconds() > 0
                && run.callbacks().of(pushed.id()).stream().anyMatch(call -> !call.isAccepted());
    }

    /** A dead letter: its receiver never accepts it, or a fault was in the way of some attempts, and no attempt was left. */
    private static String failed(Run run, Row row) {
        Optional<Callback> plan = run.callbacks().plan(row.id());
        if (run.pulls().isPulled(row)) {
            boolean usedUp = row.attempts() == run.pulls().maxAttempts();
            return usedUp || run.pulls().may(Kind.BURY, row.id())
                    ? ""
                    : "FAILED after " + row.attempts() + " attempts, and no consumer buried it";
        }
        if (plan.isEmpty()) {
            return "given up as FAILED";
        }
        List<Call> calls = run.callbacks().of(row.id());
        if (calls.stream().anyMatch(call -> call.status() == Callback.GONE)) {
            return "";
        }
        if (row.attempts() != plan.get().maxAttempts()) {
            return "FAILED after " + row.attempts() + " of " + plan.get().maxAttempts() + " attempts";
        }
        boolean excused = plan.get().isNeverAccepted()
                || run.windows().stream()
                        .filter(window -> !window.isOnlyOf("broker"))
                        .filter(window -> !plan.get().steady() || !window.isOnlyOf("receiver"))
                        .anyMatch(window -> window.touches(row.dueMs(), row.nextAttemptMs()));
        return excused ? "" : "FAILED, and its receiver was well: " + calls;
    }

    private static String expired(Run run, Pushed pushed, Version version, Row row) {
        long endMs = row.dueMs() + row.ttlSeconds() * 1000;
        if (row.ttlSeconds() > 0 && endMs < version.sentMs()) {
            boolean restored = pushed.restores().stream().anyMatch(Restore::done);
            return restored ? "EXPIRED, and restored before" : "";
        }
        // The due time of a replacement may be over when it is pushed.
        long fromMs = Math.max(row.dueMs(), version.sentMs());
        boolean calledBack =
                run.callbacks().plan(pushed.id()).filter(plan -> !plan.steady()).isPresent();
        boolean noWay = row.ttlSeconds() > 0
                && run.windows().stream()
                        .filter(window -> calledBack || !window.isOnlyOf("receiver"))
                        .anyMatch(window -> leavesNoWay(
                                window,
                                calledBack ? Allowance.ofCallback(window) : Allowance.ofOthers(window),
                                Allowance.afterFault(pushed),
                                version.sentMs(),
                                fromMs,
                                endMs));
        // A message may be that late in any case, and a producer that had no answer yet was promised nothing.
        boolean brief = row.ttlSeconds() > 0
                && endMs < Math.max(fromMs, version.acknowledgedMs()) + Allowance.ANYWAY.toMillis();
        return noWay || brief ? "" : "EXPIRED, and could have been delivered from " + fromMs + " to " + endMs;
    }

    /**
     * The broker was away in that time; or nothing could be delivered in all of it and until it began again; or the fault lost a key
     * of Redis, and the message may be as late as its repair lasts.
     *
     * @param after how late the message may be after a fault for its own sake
     */
    private static boolean leavesNoWay(
            Window window, Allowance allowance, Duration after, long sentMs, long fromMs, long toMs) {
        if (window.fault().contains("broker")) {
            return window.touches(fromMs, toMs);
        }
        long againMs = window.ledMs() + after.plus(allowance.afterEnd()).toMillis();
        long ownMs = sentMs <= window.ledMs() ? fromMs + allowance.ofEach().toMillis() : 0;
        return window.fromMs() <= fromMs + MARGIN_MS && Math.max(againMs, ownMs) >= toMs;
    }
}
