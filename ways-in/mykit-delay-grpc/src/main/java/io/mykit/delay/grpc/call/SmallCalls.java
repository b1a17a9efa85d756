package io.mykit.delay.grpc.call;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds the calls of services that need no token, such as health and reflection: their requests are small, they count in the bytes of all
 * calls, and their streams end when this node stops. Thread-safe.
 */
public final class SmallCalls implements ServerInterceptor {
    private static final int MAX_BYTES = 64 << 10;

    private final RequestDeadlines deadlines;
    private final int most;
    private final Set<Bounded<?, ?>> open = ConcurrentHashMap.newKeySet();

    /** @param most the maximum of calls at the same time: anybody may watch the health, and a watch never ends */
    public SmallCalls(RequestDeadlines deadlines, int most) {
        this.deadlines = deadlines;
        this.most = most;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (open.size() >= most) {
            call.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "too many calls of this service are under way; try again"),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        Bounded<Q, A> bounded = new Bounded<>(call);
        open.add(bounded);
        deadlines.begun(bounded);
        CallBytes.current()
                .onOverflow(
                        MAX_BYTES,
                        () -> bounded.close(
                                Status.RESOURCE_EXHAUSTED.withDescription("a request of this service has at most "
                                        + MAX_BYTES + " bytes, or too many calls are under way; try again"),
                                new Metadata()));
        return new SimpleForwardingServerCallListener<>(next.startCall(bounded, headers)) {
            @Override
            public void onMessage(Q message) {
                if (!bounded.closed.get()) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                deadlines.complete(bounded);
                if (!bounded.closed.get()) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onCancel() {
                ended(bounded);
                super.onCancel();
            }

            @Override
            public void onComplete() {
                ended(bounded);
                super.onComplete();
            }
        };
    }

    private void ended(Bounded<?, ?> call) {
        open.remove(call);
        deadlines.complete(call);
    }

    /** Ends the calls under way: clients that watch the health of this node look for another one. */
    public void stop() {
        open.forEach(call -> call.close(
                Status.UNAVAILABLE.withDescription("this node is stopping; use another one"), new Metadata()));
    }

    /** Its first end counts: the service may end a call that was ended here. */
    private static final class Bounded<Q, A> extends SimpleForwardingServerCall<Q, A>
            implements RequestDeadlines.Incomplete {
        private final AtomicBoolean closed = new AtomicBoolean();

        Bounded(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void tooLate() {
            close(Status.DEADLINE_EXCEEDED.withDescription("the request did not come in time"), new Metadata());
        }

        @Override
        public void sendMessage(A message) {
            if (!closed.get()) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (closed.compareAndSet(false, true)) {
                super.close(status, trailers);
            }
        }
    }
}
