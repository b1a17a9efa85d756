package io.mykit.delay.test.fault.invariant;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Call;
import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Cancel.Answered;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * CANCELLED is never said of what is delivered, neither before nor after, whatever is broken; CANCELLED_AFTER_ATTEMPT means that no callback
 * and no hand-out begins after the answer: a broker may have stored the message before; ALREADY_DISPATCHED means that
 * it was or will be delivered, unless its ttl ends first, or another cancel took it back: one that was answered with CANCELLED
 * later, or was never answered. A delivered message may begin again by a replacement before its cancel. Only a new message may arrive after CANCELLED: a replacement, or an operator's restore, that
 * came after the cancel was asked.
 */
final class CancelIsFinal implements Invariant {

    @Override
    public List<String> check(Run run) {
        Map<String, List<Seen>> seen = run.seen().stream().collect(Collectors.groupingBy(Seen::id));
        Map<String, List<Call>> calls = run.callbacks().byId();
        Map<String, List<HandedOut>> handedOut = run.pulls().byId();
        List<String> violations = new ArrayList<>();
        for (Pushed pushed : run.pushed().values()) {
            List<Seen> arrivals = seen.getOrDefault(pushed.id(), List.of());
            for (Cancel cancel : pushed.cancels()) {
                if (cancel.answered() == Answered.CANCELLED) {
                    arrivals.stream()
                            .filter(arrival -> !isRevived(pushed, cancel, arrival)
                                    && !isEnded(pushed, cancel, arrival)
                                    && !isUnheard(run, cancel, arrival))
                            .forEach(arrival -> violations.add(text(cancel, arrival)));
                }
            }
            violations.addAll(attemptsAfterCancels(pushed, calls.getOrDefault(pushed.id(), List.of())));
            violations.addAll(finishedAfterCancels(run, pushed));
            violations.addAll(handedOutAfterCancels(pushed, handedOut.getOrDefault(pushed.id(), List.of())));
            boolean neverArrived =
                    arrivals.isEmpty() && !handedOut.containsKey(pushed.id()) && !mayEndBefore(run, pushed.id());
            if (neverArrived && pushed.cancels().stream().anyMatch(cancel -> saidToCome(pushed, cancel))) {
                violations.add(pushed.id() + ": ALREADY_DISPATCHED, and never arrived: " + pushed.cancels());
            }
        }
        return violations;
    }

    private static boolean isRevived(Pushed pushed, Cancel cancel, Seen arrival) {
        boolean replaced = pushed.version(arrival.body(), arrival.dueMs())
                .filter(version -> version.replaces() && version.isOpenAt(cancel.askedMs()))
                .isPresent();
        boolean restored =
                pushed.restores().stream().anyMatch(restore -> !restore.done() || restore.askedMs() > cancel.askedMs());
        return arrival.atMs() > cancel.askedMs() && (replaced || restored);
    }

    /** Another push may have begun the message again between its arrival and the cancel. */
    private static boolean isEnded(Pushed pushed, Cancel cancel, Seen arrival) {
        int arrived = pushed.version(arrival.body(), arrival.dueMs())
                .map(Version::number)
                .orElse(-1);
        return arrival.atMs() < cancel.answeredMs()
                && pushed.versions().stream()
                        .filter(version -> version.replaces() && version.number() != arrived)
                        .anyMatch(
                                version -> version.sentMs() < cancel.answeredMs() && version.isOpenAt(arrival.atMs()));
    }

    /** ALREADY_DISPATCHED, and no other call took the message back: it may be overdue and wait for its recovery. */
    private static boolean saidToCome(Pushed pushed, Cancel cancel) {
        return cancel.answered() == Answered.ALREADY_DISPATCHED
                && pushed.cancels().stream().noneMatch(other -> other.mayEndAfter(cancel.answeredMs()));
    }

    /** An attempt that failed before the cancel is no delivery; none may begin after it. */
    private static List<String> attemptsAfterCancels(Pushed pushed, List<Call> calls) {
        List<String> violations = new ArrayList<>();
        for (Cancel cancel : pushed.cancels()) {
            if (cancel.isCancelled()) {
                calls.stream()
                        .filter(call -> call.atMs() > cancel.answeredMs())
                        .filter(call -> !call.isAccepted() || cancel.answered() != Answered.CANCELLED)
                        .forEach(call -> violations.add(text(cancel, call.seen())));
            }
        }
        return violations;
    }

    /** A hand-out whose consumer did not finish the message is no delivery either. */
    private static List<String> handedOutAfterCancels(Pushed pushed, List<HandedOut> holds) {
        List<String> violations = new ArrayList<>();
        for (Cancel cancel : pushed.cancels()) {
            if (cancel.isCancelled()) {
                holds.stream()
                        .filter(hold -> hold.fromMs() > cancel.answeredMs())
                        .forEach(hold -> violations.add(text(cancel, hold.seen())));
            }
        }
        return violations;
    }

    private static List<String> finishedAfterCancels(Run run, Pushed pushed) {
        Row row = run.rows().get(pushed.id());
        boolean finished = row != null && run.pulls().isPulled(row) && row.status() == MessageStatus.FINISH;
        return finished && pushed.isCancelled()
                ? List.of(pushed.id() + ": said to be cancelled, and a consumer finished it")
                : List.of();
    }

    /** A receiver accepted a callback and its node did not hear it in time, because of a fault. */
    private static boolean isUnheard(Run run, Cancel cancel, Seen arrival) {
        return arrival.atMs() < cancel.askedMs()
                && run.callbacks().plan(arrival.id()).isPresent()
                && run.windows().stream().anyMatch(window -> window.cuts(arrival.atMs()));
    }

    /** A delivery has begun, and may end without an arrival: the ttl is over, or the last attempt of a callback failed. */
    private static boolean mayEndBefore(Run run, String id) {
        Row row = run.rows().get(id);
        boolean mayFail = run.callbacks().plan(id).isPresent()
                || (row != null && run.pulls().isPulled(row));
        return row != null
                && (row.status() == MessageStatus.EXPIRED || (mayFail && row.status() == MessageStatus.FAILED));
    }

    private static String text(Cancel cancel, Seen arrival) {
        long afterMs = arrival.atMs() - cancel.answeredMs();
        return arrival.id()
                + (afterMs > 0
                        ? ": arrived " + afterMs + " ms after it was said to be cancelled"
                        : ": had arrived " + -afterMs + " ms before it was said to be cancelled");
    }
}
