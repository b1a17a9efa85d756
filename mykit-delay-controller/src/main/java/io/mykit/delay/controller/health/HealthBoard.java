package io.mykit.delay.controller.health;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Workers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Runs the health checks of all parts at the same time, each for at most a bound.
 *
 * <p>Each part has one thread. A check that still runs is not started again, so a part that hangs blocks only one thread,
 * however often health is called. A check that returns at once runs on the caller's thread. Thread-safe.
 */
final class HealthBoard {
    private final List<HealthCheck> checks;
    private final Duration bound;
    private final Workers workers;
    private final Map<String, CompletableFuture<Health>> asked = new ConcurrentHashMap<>();

    HealthBoard(List<HealthCheck> checks, Duration bound) {
        this.checks = checks;
        this.bound = bound;
        int threads = Math.max(1, checks.size());
        this.workers = new Workers("http-health", threads, threads);
    }

    /** The state of each part with a wanted name, in the order of the checks. */
    CompletableFuture<Map<String, Health>> ask(Predicate<String> wanted) {
        Map<String, CompletableFuture<Health>> answers = new LinkedHashMap<>();
        for (HealthCheck check : checks) {
            if (wanted.test(check.name())) {
                answers.put(check.name(), bounded(check));
            }
        }
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    Map<String, Health> report = new LinkedHashMap<>();
                    answers.forEach((name, answer) -> report.put(name, answer.join()));
                    return report;
                });
    }

    /** See {@link HealthCheck#beyondRepair}; of all parts. */
    List<String> beyondRepair() {
        return checks.stream().flatMap(check -> check.beyondRepair().stream()).toList();
    }

    private CompletableFuture<Health> bounded(HealthCheck check) {
        if (check.isImmediate()) {
            return immediate(check);
        }
        return asked.compute(
                        check.name(),
                        (name, earlier) -> earlier != null && !earlier.isDone() ? earlier : workers.run(check::check))
                .exceptionally(defect -> Health.down("the check failed: " + name(defect)))
                .completeOnTimeout(
                        Health.down("no answer within " + bound.toMillis() + " ms"),
                        bound.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static CompletableFuture<Health> immediate(HealthCheck check) {
        try {
            return CompletableFuture.completedFuture(check.check());
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(Health.down("the check failed: " + name(e)));
        }
    }

    /** The class name of the check's exception. Its message may hold details that a caller must not see. */
    private static String name(Throwable defect) {
        Throwable cause =
                defect instanceof CompletionException && defect.getCause() != null ? defect.getCause() : defect;
        return cause.getClass().getSimpleName();
    }

    void close() {
        workers.close(Duration.ZERO);
    }
}
