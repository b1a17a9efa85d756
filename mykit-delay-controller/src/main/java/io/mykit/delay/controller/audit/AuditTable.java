package io.mykit.delay.controller.audit;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.access.audit.AuditedAction;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes calls into the table of the audit: a row before the call acts, and its outcome after it. Has threads of its own, so that pushes
 * that fill the other ones do not delay it. Thread-safe.
 */
final class AuditTable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditTable.class);

    private final AuditTrail trail;
    private final Workers rows = new Workers("http-audit", 2, 200);
    /** What is noted here may be lost: it has little room. */
    private final Workers notes = new Workers("http-audit-note", 1, 20);

    AuditTable(AuditTrail trail) {
        this.trail = trail;
    }

    /**
     * Makes a call after its row was written. The call runs on a thread of this object, and must not block it.
     *
     * @param required whether the call is refused if the row cannot be written
     * @param call never fails
     * @param outcome the word for an answer
     */
    CompletableFuture<Reply> around(
            AuditedAction action,
            boolean required,
            Supplier<CompletableFuture<Reply>> call,
            Function<Reply, String> outcome) {
        return begin(action, required)
                .thenCompose(row -> call.get().thenCompose(reply -> row.map(id -> end(id, outcome.apply(reply)))
                        .orElse(CompletableFuture.completedFuture(null))
                        .thenApply(written -> reply)));
    }

    private CompletableFuture<Optional<String>> begin(AuditedAction action, boolean required) {
        return run(rows, () -> Optional.of(trail.begin(action))).exceptionally(failure -> {
            DelayException why = why(failure);
            if (required) {
                // The row may be there. The call was not made in any case.
                boolean inDoubt = why.code() == ErrorCode.OUTCOME_UNKNOWN;
                throw new DelayException(
                        inDoubt ? ErrorCode.STORE_UNAVAILABLE : why.code(),
                        "nothing was done, because the row of the audit could not be written: " + why.getMessage(),
                        why);
            }
            LOG.warn("The call {} {} has no row in the audit: {}", action.action(), action.detail(), why.getMessage());
            return Optional.empty();
        });
    }

    private CompletableFuture<Void> end(String id, String outcome) {
        return run(rows, () -> {
                    trail.end(id, outcome);
                    return (Void) null;
                })
                .exceptionally(failure -> {
                    LOG.warn(
                            "The row {} of the audit has no outcome; it is {}: {}",
                            id,
                            outcome,
                            ErrorMapper.cause(failure).toString());
                    return null;
                });
    }

    /** Writes what did not act, if there is room. */
    void note(AuditedAction action, String outcome) {
        CompletableFuture<?> unused = run(notes, () -> {
                    trail.note(action, outcome);
                    return true;
                })
                .exceptionally(failure -> {
                    LOG.debug("{} {} is not in the audit", action.action(), outcome, failure);
                    return false;
                });
    }

    private static <T> CompletableFuture<T> run(Workers workers, Supplier<T> work) {
        try {
            return workers.run(work);
        } catch (DelayException full) {
            return CompletableFuture.failedFuture(full);
        }
    }

    /** A defect is no reason for the caller: it fails the call as it is. */
    private static DelayException why(Throwable failure) {
        if (ErrorMapper.cause(failure) instanceof DelayException known) {
            return known;
        }
        throw new CompletionException(ErrorMapper.cause(failure));
    }

    void close() {
        rows.close(Duration.ofSeconds(1));
        notes.close(Duration.ZERO);
    }
}
