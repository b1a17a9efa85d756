package io.mykit.delay.ports.engine;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.ports.call.Refused;
import io.mykit.delay.ports.call.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Keeps the limits of tokens and namespaces. Thread-safe; does not block. */
public final class Rates {
    private final CallLimits limits;
    private final Workers workers;

    public Rates(CallLimits limits, Workers workers) {
        this.limits = limits;
        this.workers = workers;
    }

    /**
     * The answer of the call, unless the caller is over its limit.
     *
     * @param items that the call certainly takes; {@link #passed} tells the others
     * @param over makes the refusal; gets the seconds after which the caller may try again
     */
    public CompletableFuture<Reply> within(
            Principal caller,
            Kind kind,
            int items,
            LongFunction<Refused> over,
            Supplier<CompletableFuture<Reply>> call) {
        CompletableFuture<Permit> asked = limits.ask(caller, kind, items);
        return asked.isDone()
                ? after(asked.join(), over, call)
                // The thread that answers is that of all limits.
                : asked.thenCompose(permit -> workers.run(() -> permit).thenCompose(same -> after(same, over, call)));
    }

    private static CompletableFuture<Reply> after(
            Permit permit, LongFunction<Refused> over, Supplier<CompletableFuture<Reply>> call) {
        permit.refusal().ifPresent(refusal -> {
            throw over.apply(refusal.retryAfterSeconds());
        });
        return call.get();
    }

    public void passed(Principal caller, Kind kind, int items) {
        limits.passed(caller, kind, items);
    }

    /** The bounds of a push: a token of no namespace has none, as at the native ports. */
    public NamespaceBounds bounds(Principal caller) {
        return caller.isConfined() ? limits.bounds(caller.namespace()) : NamespaceBounds.NONE;
    }
}
