package io.mykit.delay.grpc.call;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that one call holds: its request while it comes in, which the transport collects before any handler sees it, and its answer. The
 * event loop of the call adds those of the request; any thread may add those of the answer.
 */
final class CallBytes extends ServerStreamTracer {
    private static final Context.Key<CallBytes> KEY = Context.key("mykit-delay-call-bytes");

    private final ByteBudget budget;
    private final AtomicLong own = new AtomicLong();
    private Runnable overflow = () -> {};
    private boolean over;

    private CallBytes(ByteBudget budget) {
        this.budget = budget;
    }

    /** Counts the bytes of each call. */
    static Factory counting(ByteBudget budget) {
        return new Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
                return new CallBytes(budget);
            }
        };
    }

    /** Those of the call whose handler begins on this thread. */
    static CallBytes current() {
        return KEY.get();
    }

    /** @param refuse ends the call; runs on its event loop when its request comes and the budget is used up */
    void onOverflow(Runnable refuse) {
        overflow = refuse;
        if (over) {
            refuse.run();
        }
    }

    /** False: the budget is used up. The bytes are taken in any case. */
    boolean take(long bytes) {
        own.addAndGet(bytes);
        return budget.take(bytes);
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        if (!take(bytes) && !over) {
            over = true;
            overflow.run();
        }
    }

    @Override
    public void streamClosed(Status status) {
        budget.giveBack(own.getAndSet(0));
    }
}
