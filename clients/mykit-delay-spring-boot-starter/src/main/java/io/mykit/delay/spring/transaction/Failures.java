package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayClientException;
import io.mykit.delay.client.DelayUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of a committed transaction that failed. Each of them has a line in the log and an exception of its own, without
 * the body: the database does not remember the call, and the application may drop the exception of the commit. One thread.
 */
final class Failures {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client");
    private static final String LOST = " was lost after the commit";
    private static final int MAX_SHOWN = 20;

    /** Of the first calls that failed. */
    private final List<RuntimeException> shown = new ArrayList<>();

    private int count;
    private DelayUnavailableException outage;

    void note(Step step, RuntimeException failure) {
        step.fail(lost(step + tried(failure), failure));
        if (failure instanceof DelayUnavailableException unavailable) {
            outage = unavailable;
        }
    }

    /** The call is done, save for one message. */
    void noteOne(String call, DelayClientException failure) {
        var unused = lost(call + tried(failure), failure);
    }

    private static String tried(RuntimeException failure) {
        boolean inDoubt = failure instanceof DelayClientException known && known.isInDoubt();
        return LOST + (inDoubt ? ", or was done without an answer" : "");
    }

    /**
     * Whether the step is not worth a try, because one before it met no server for as long as the client tries. It is noted
     * then. Otherwise the thread of the commit would wait that long for each step.
     */
    boolean isSkipped(Step step) {
        if (outage != null) {
            step.fail(lost(step + LOST + " without a try", outage));
        }
        return outage != null;
    }

    private RuntimeException lost(String text, RuntimeException failure) {
        RuntimeException named = failure instanceof DelayClientException known
                ? known.about(text)
                : new IllegalStateException(text + ": " + failure, failure);
        LOG.log(Level.ERROR, named.getMessage());
        count++;
        if (count <= MAX_SHOWN) {
            shown.add(named);
        }
        return named;
    }

    /** Throws the first failure. Its suppressed exceptions are the others. */
    void throwIfAny() {
        if (count == 0) {
            return;
        }
        RuntimeException first = shown.get(0);
        shown.subList(1, shown.size()).forEach(first::addSuppressed);
        if (count > MAX_SHOWN) {
            first.addSuppressed(new IllegalStateException((count - MAX_SHOWN)
                    + " more calls were lost after the commit; the log of io.mykit.delay.client names each of them"));
        }
        throw first;
    }
}
