package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.lmstfy.call.Refusal;
import io.mykit.delay.lmstfy.call.Reply;
import io.mykit.delay.lmstfy.token.Admitted;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Keeps the limits of tokens and namespaces. Thread-safe; does not block. */
final class Rates {
    private final CallLimits limits;
    private final Workers workers;

    Rates(CallLimits limits, Workers workers) {
        this.limits = limits;
        this.workers = workers;
    }

    /**
     * The answer of the call, or 429.
     *
     * @param items that the call certainly takes; {@link #passed} tells the others
     */
    CompletableFuture<Reply> within(Admitted in, Kind kind, int items, Supplier<CompletableFuture<Reply>> call) {
        CompletableFuture<Permit> asked = limits.ask(in.caller(), kind, items);
        return asked.isDone()
                ? after(asked.join(), in, kind, call)
                // The thread that answers is that of all limits.
                : asked.thenCompose(
                        permit -> workers.run(() -> permit).thenCompose(same -> after(same, in, kind, call)));
    }

    private static CompletableFuture<Reply> after(
            Permit permit, Admitted in, Kind kind, Supplier<CompletableFuture<Reply>> call) {
        permit.refusal().ifPresent(refusal -> {
            throw Refusal.limited(in.token(), kind == Kind.PUSH ? "produce" : "consume", refusal.retryAfterSeconds());
        });
        return call.get();
    }

    void passed(Admitted in, Kind kind, int items) {
        limits.passed(in.caller(), kind, items);
    }

    /** The bounds of a push: a token of no namespace has none, as at the native ports. */
    NamespaceBounds bounds(Admitted in) {
        return in.caller().isConfined() ? limits.bounds(in.caller().namespace()) : NamespaceBounds.NONE;
    }
}
