package io.mykit.delay.grpc.call;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/**
 * The bytes that one call holds: its request while it comes in, which the transport collects before any handler sees it, and its answer. The
 * event loop of the call adds those of the request; any thread may add those of the answer.
 */
final class CallBytes extends ServerStreamTracer {
    private static final Context.Key<CallBytes> KEY = Context.key("mykit-delay-call-bytes");

    private final ByteBudget budget;
    private Runnable overflow = () -> {};
    private boolean over;
    /** Of a request. */
    private long most = Long.MAX_VALUE;
    /** The lock of this object guards these two. */
    private long own;

    private boolean closed;

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

    /**
     * @param mostBytes the maximum of this request
     * @param refuse ends the call; runs once, on its event loop, if its request is larger or the budget is used up
     */
    void onOverflow(long mostBytes, Runnable refuse) {
        most = mostBytes;
        overflow = refuse;
        if (over) {
            refuse.run();
        }
    }

    /** False: the budget is used up, or the call has ended. The bytes are taken in any case while the call lasts. */
    synchronized boolean take(long bytes) {
        if (closed) {
            return false;
        }
        own += bytes;
        return budget.take(bytes);
    }

    /** The request has this size in memory, which is more than on the wire if it was compressed. */
    void unpacked(long bytes) {
        grow(bytes - taken());
    }

    private synchronized long taken() {
        return own;
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    @Override
    public void inboundWireSize(long bytes) {
        grow(bytes);
    }

    private void grow(long bytes) {
        boolean fits = bytes <= 0 || take(bytes);
        if (!over && (!fits || taken() > most)) {
            over = true;
            overflow.run();
        }
    }

    /** Any thread: what a handler takes later is not counted any more. */
    @Override
    public synchronized void streamClosed(Status status) {
        closed = true;
        budget.giveBack(own);
        own = 0;
    }
}
