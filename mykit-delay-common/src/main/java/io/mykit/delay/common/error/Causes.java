package io.mykit.delay.common.error;

import java.util.concurrent.CompletionException;

/** The causes of failed futures. Stateless. */
public final class Causes {
    private Causes() {}

    /** The failure itself, and not the wrapper that a later stage of its future put around it. */
    public static Throwable of(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
