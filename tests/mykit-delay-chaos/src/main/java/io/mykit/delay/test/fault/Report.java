package io.mykit.delay.test.fault;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.invariant.Invariants;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The outcome of a run, as text for a reader. */
final class Report {
    private static final int SHOWN = 20;

    private final Run run;
    private final Lateness lateness;
    private final Map<String, List<String>> violations;

    Report(Run run) {
        this.run = run;
        this.lateness = new Lateness(run);
        this.violations = Invariants.check(run);
    }

    boolean kept() {
        return violations.isEmpty();
    }

    /** The table, and the violations below it. */
    String text() {
        StringBuilder text = new StringBuilder("| what | figure |\n| --- | --- |\n");
        figures().forEach((what, figure) -> text.append("| ")
                .append(what)
                .append(" | ")
                .append(figure)
                .append(" |\n"));
        return text.append(broken()).toString();
    }

    /** Empty if every promise was kept. */
    String broken() {
        StringBuilder text = new StringBuilder();
        violations.forEach((name, found) -> {
            text.append("BROKEN ")
                    .append(name)
                    .append(", ")
                    .append(found.size())
                    .append(" times\n");
            found.stream().limit(SHOWN).forEach(each -> {
                text.append("  ").append(each).append('\n');
                history(each)
                        .ifPresent(pushed ->
                                text.append("    asked for: ").append(pushed).append('\n'));
            });
        });
        return text.toString();
    }

    /** What producers did with the message that a violation begins with. */
    private Optional<Pushed> history(String violation) {
        return Optional.ofNullable(run.pushed().get(violation.split("[ :]", 2)[0]));
    }

    private Map<String, String> figures() {
        Set<String> arrived = new LinkedHashSet<>();
        run.seen().forEach(seen -> arrived.add(seen.id()));
        Map<String, String> figures = new LinkedHashMap<>();
        Map<String, Integer> kinds = new TreeMap<>();
        injected().forEach(window -> window.kinds().forEach(kind -> kinds.merge(kind, 1, Integer::sum)));
        figures.put("faults injected", kinds.values().stream().mapToInt(n -> n).sum() + ": " + kinds);
        figures.put("messages", Integer.toString(run.pushed().size()));
        figures.put(
                "acknowledged",
                count(run.pushed().values().stream()
                        .filter(Pushed::isAcknowledged)
                        .count()));
        figures.put("arrived", count(arrived.size()));
        figures.put(
                "cancelled",
                count(run.pushed().values().stream()
                        .filter(each -> each.isCancelled())
                        .count()));
        figures.put(
                "cancelled, and the answer lost",
                count(run.rows().values().stream()
                        .filter(row -> row.status() == MessageStatus.DELETE)
                        .filter(row -> !wasToldCancelled(row.id()))
                        .count()));
        figures.put(
                "still scheduled",
                count(run.rows().values().stream()
                        .filter(row -> row.status().isUnfinished())
                        .count()));
        figures.put(
                "replaced",
                count(run.pushed().values().stream()
                        .filter(each -> each.versions().size() > 1)
                        .count()));
        figures.put(
                "expired",
                count(run.rows().values().stream()
                        .filter(row -> row.status() == MessageStatus.EXPIRED)
                        .count()));
        figures.put("callbacks", Integer.toString(run.callbacks().plans().size()));
        figures.put("requests at receivers", requests());
        if (!run.pulls().handedOut().isEmpty()) {
            figures.put(
                    "handed out to consumers",
                    Integer.toString(run.pulls().handedOut().size()));
            figures.put("their calls", settlings());
        }
        if (!run.shown().isEmpty()) {
            figures.put("answers to teams", Integer.toString(run.shown().size()));
        }
        figures.put("dead letters", Integer.toString(run.dead().size()));
        figures.put("lost", violated("NoLoss"));
        figures.put("early", violated("NeverEarly"));
        figures.put("an older version", violated("NewestVersion"));
        figures.put("late outside fault windows", lateness.outside());
        lateness.byFault().forEach((fault, late) -> figures.put("late in " + fault, late));
        figures.put(
                "duplicates",
                count(run.seen().size()
                        - run.seen().stream().map(run::versionName).distinct().count()));
        figures.put("cancelled but delivered", violated("CancelIsFinal"));
        figures.put("one leader after a fault's end", times(injected().mapToLong(Window::leaderMs)));
        takeovers()
                .forEach((fault, windows) -> figures.put(
                        "a new leader after " + fault, times(windows.stream().mapToLong(Window::takeoverMs))));
        figures.put("promises broken", violations.isEmpty() ? "none" : String.join(", ", violations.keySet()));
        return figures;
    }

    private String requests() {
        Map<Integer, Integer> statuses = new TreeMap<>();
        run.callbacks().calls().forEach(call -> statuses.merge(call.status(), 1, Integer::sum));
        return run.callbacks().calls().size() + ", by their answers (0 = none): " + statuses;
    }

    private String settlings() {
        Map<String, Integer> answers = new TreeMap<>();
        run.pulls().settlings().forEach(each -> answers.merge(each.kind() + " " + each.answered(), 1, Integer::sum));
        return answers.toString();
    }

    private Stream<Window> injected() {
        return run.windows().stream().filter(Window::isInjected);
    }

    private boolean wasToldCancelled(String id) {
        Pushed pushed = run.pushed().get(id);
        return pushed != null && pushed.isCancelled();
    }

    /** The windows of faults that took the leader away, by the kind of fault. */
    private Map<String, List<Window>> takeovers() {
        return run.windows().stream()
                .filter(window -> window.takeoverMs() >= 0)
                .collect(Collectors.groupingBy(Window::fault, TreeMap::new, Collectors.toList()));
    }

    private String violated(String invariant) {
        return count(violations.getOrDefault(invariant, List.of()).size());
    }

    private static String times(LongStream measured) {
        long[] sorted = measured.filter(ms -> ms >= 0).sorted().toArray();
        return sorted.length == 0
                ? "not measured"
                : "min " + sorted[0] + " ms, median " + Lateness.percentile(sorted, 50) + " ms, max "
                        + Lateness.percentile(sorted, 100) + " ms of "
                        + Arrays.stream(sorted).count();
    }

    private static String count(long number) {
        return Long.toString(number);
    }
}
