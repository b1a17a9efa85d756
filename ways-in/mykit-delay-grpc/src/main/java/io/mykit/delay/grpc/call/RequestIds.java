package io.mykit.delay.grpc.call;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Gives each answer the id of its request, if it has one: an answer in its headers, a refusal in its trailers. Stateless. */
public final class RequestIds implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String id = CallLine.current().id();
        return next.startCall(id == null ? call : identified(call, id), headers);
    }

    private static <Q, A> ServerCall<Q, A> identified(ServerCall<Q, A> call, String id) {
        return new SimpleForwardingServerCall<>(call) {
            private boolean begun;

            @Override
            public void sendHeaders(Metadata answer) {
                begun = true;
                answer.put(CallLine.ID, id);
                super.sendHeaders(answer);
            }

            @Override
            public void close(Status status, Metadata trailers) {
                if (!begun) {
                    trailers.put(CallLine.ID, id);
                }
                super.close(status, trailers);
            }
        };
    }
}
