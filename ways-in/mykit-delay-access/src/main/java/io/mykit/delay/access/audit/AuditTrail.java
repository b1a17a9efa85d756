package io.mykit.delay.access.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.text.OneLine;
import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.AuditStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record of calls that act, in the store. A call is written before it acts, so no call acts without a row. All methods block, and all
 * but {@link #end} throw a {@link DelayException} of STORE_UNAVAILABLE or OUTCOME_UNKNOWN. Thread-safe.
 */
public final class AuditTrail {
    /** The logger of the lines about calls. */
    public static final String LOGGER = "io.mykit.delay.audit";

    private static final Logger LINES = LoggerFactory.getLogger(LOGGER);
    private static final Logger LOG = LoggerFactory.getLogger(AuditTrail.class);
    private static final String DONE = "DONE";
    private static final String FAILED = "FAILED";

    private final AuditStore store;
    private final InstantSource clock;

    /** @param clock the clock of the cluster */
    public AuditTrail(AuditStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Writes a call that is about to act, with the outcome {@link AuditRow#BEGUN}. Returns the id of its row. */
    public String begin(AuditedAction action) {
        return write(action, AuditRow.BEGUN);
    }

    /** Gives a row its outcome. If it cannot be written, the log has it: the call has acted, and does not fail for that. */
    public void end(String id, String outcome) {
        try {
            store.end(id, fit(outcome, AuditRow.MAX_OUTCOME));
        } catch (DelayException e) {
            LOG.warn("The row {} of the audit has no outcome; it is {}: {}", id, outcome, e.toString());
        }
    }

    /** Writes a call, lets it act, gives its row the outcome {@code DONE} or {@code FAILED}, and writes a line. */
    public <T> T recorded(AuditedAction action, Supplier<T> work) {
        long startNanos = System.nanoTime();
        String id = begin(action);
        String outcome = FAILED;
        try {
            T result = work.get();
            outcome = DONE;
            return result;
        } finally {
            end(id, outcome);
            line(action, outcome, (System.nanoTime() - startNanos) / 1_000_000);
        }
    }

    private static void line(AuditedAction action, String outcome, long milliseconds) {
        String what = (action.object() + " " + action.detail()).strip();
        LINES.atInfo()
                .addKeyValue("call", action.action())
                .addKeyValue("what", what)
                .addKeyValue("caller", action.actor())
                .addKeyValue("address", action.address())
                .addKeyValue("result", outcome)
                .addKeyValue("ms", milliseconds)
                .log(
                        "{} {} by {} from {}: {} in {} ms",
                        action.action(),
                        what,
                        action.actor(),
                        action.address(),
                        outcome,
                        milliseconds);
    }

    /** Writes what did not act, such as a refused login. */
    public void note(AuditedAction action, String outcome) {
        String unused = write(action, outcome);
    }

    /** The newest rows first. */
    public List<AuditRow> page(AuditQuery query, int limit) {
        return store.page(query, limit);
    }

    private String write(AuditedAction action, String outcome) {
        long nowMs = clock.millis();
        // Two nodes may write in the same millisecond.
        String id = String.format(
                Locale.ROOT, "%013d-%08x", nowMs, ThreadLocalRandom.current().nextInt());
        store.write(new AuditRow(
                id,
                nowMs,
                fit(action.actor(), AuditRow.MAX_ACTOR),
                fit(action.address(), AuditRow.MAX_ADDRESS),
                fit(action.action(), AuditRow.MAX_ACTION),
                fit(action.object(), AuditRow.MAX_OBJECT),
                fit(action.detail(), AuditRow.MAX_DETAIL),
                fit(outcome, AuditRow.MAX_OUTCOME)));
        return id;
    }

    /** A client may send any text. Half of a pair of characters, which no database takes, becomes a question mark. */
    private static String fit(String text, int max) {
        String line = OneLine.of(text, max);
        String cut = line.substring(0, Math.min(max, line.length()));
        return new String(cut.getBytes(UTF_8), UTF_8);
    }
}
