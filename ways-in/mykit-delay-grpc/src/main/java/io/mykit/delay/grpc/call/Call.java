package io.mykit.delay.grpc.call;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.grpc.MethodDescriptor;
import io.mykit.delay.access.trace.SpanForm;

/**
 * A method of the service with its handler. Immutable.
 *
 * @param method as protoc made it
 * @param span the form of its spans
 */
public record Call<Q extends Message, A extends Message>(
        MethodDescriptor<Q, A> method, Parser<Q> parser, CallRules rules, CallHandler<Q, A> handler, SpanForm span) {
    /** @param method as protoc made it */
    public Call(MethodDescriptor<Q, A> method, Parser<Q> parser, CallRules rules, CallHandler<Q, A> handler) {
        this(method, parser, rules, handler, new GrpcSpan(method.getFullMethodName()));
    }

    String name() {
        return method.getBareMethodName();
    }
}
