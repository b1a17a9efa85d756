package io.mykit.delay.grpc.call;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.grpc.MethodDescriptor;

/**
 * A method of the service with its handler. Immutable.
 *
 * @param method as protoc made it
 */
public record Call<Q extends Message, A extends Message>(
        MethodDescriptor<Q, A> method, Parser<Q> parser, CallRules rules, CallHandler<Q, A> handler) {

    String name() {
        return method.getBareMethodName();
    }
}
