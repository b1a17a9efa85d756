package io.mykit.delay.spring.transaction;

import io.mykit.delay.client.DelayUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The calls of a committed transaction that failed. One thread. */
final class Failures {
    private static final int MAX_SHOWN = 20;

    private final List<String> failed = new ArrayList<>();
    /** One failure may be that of many steps. */
    private final Set<RuntimeException> others = new LinkedHashSet<>();

    private RuntimeException first;
    private RuntimeException outage;

    void note(Step step, RuntimeException failure) {
        step.fail(failure);
        noteOne(step, failure);
        if (failure instanceof DelayUnavailableException) {
            outage = failure;
        }
    }

    /** The step is done, save for one message. */
    void noteOne(Step step, RuntimeException failure) {
        failed.add(step.toString());
        if (first == null) {
            first = failure;
        } else if (first != failure && others.size() < MAX_SHOWN) {
            others.add(failure);
        }
    }

    /**
     * Whether the step is not worth a try, because one before it met no server for as long as the client tries. It is noted
     * then. Otherwise the thread of the commit would wait that long for each step.
     */
    boolean isSkipped(Step step) {
        if (outage != null) {
            note(step, outage);
        }
        return outage != null;
    }

    /** Throws the first failure. Its suppressed exceptions are the others, and one that names the calls. */
    void throwIfAny() {
        if (first == null) {
            return;
        }
        List<String> shown = failed.subList(0, Math.min(MAX_SHOWN, failed.size()));
        String more = failed.size() > MAX_SHOWN ? " and " + (failed.size() - MAX_SHOWN) + " more" : "";
        others.forEach(first::addSuppressed);
        first.addSuppressed(new IllegalStateException(
                "the transaction is committed, and failed, or in doubt, are: " + String.join(", ", shown) + more));
        throw first;
    }
}
