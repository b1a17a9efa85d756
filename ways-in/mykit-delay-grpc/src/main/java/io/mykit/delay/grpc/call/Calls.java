package io.mykit.delay.grpc.call;

import com.google.protobuf.Message;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServiceDescriptor;
import io.mykit.delay.access.log.RequestLog;
import java.util.List;

/** Makes the service of its methods. Stateless. */
public final class Calls {
    private Calls() {}

    /**
     * @param service as protoc made it; reflection shows its schema
     * @param calls one for each of its methods
     */
    public static ServerServiceDefinition service(ServiceDescriptor service, List<Call<?, ?>> calls, CallParts parts) {
        ServiceDescriptor.Builder own =
                ServiceDescriptor.newBuilder(service.getName()).setSchemaDescriptor(service.getSchemaDescriptor());
        List<ServerMethodDefinition<?, ?>> bound = calls.stream()
                .<ServerMethodDefinition<?, ?>>map(call -> bind(call, parts))
                .toList();
        bound.forEach(method -> own.addMethod(method.getMethodDescriptor()));
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(own.build());
        bound.forEach(definition::addMethod);
        return definition.build();
    }

    /** Gives calls their ids, and lines in the log of requests. */
    public static ServerStreamTracer.Factory logging(RequestLog log) {
        return CallLine.writing(log);
    }

    /** Counts the bytes that calls hold. */
    public static ServerStreamTracer.Factory counting(ByteBudget budget) {
        return CallBytes.counting(budget);
    }

    private static <Q extends Message, A extends Message> ServerMethodDefinition<Incoming, A> bind(
            Call<Q, A> call, CallParts parts) {
        return ServerMethodDefinition.create(
                call.method().toBuilder(
                                Incoming.upTo(call.rules().maxBytes()),
                                call.method().getResponseMarshaller())
                        .build(),
                (server, headers) -> UnaryCall.begin(server, call, parts, headers));
    }
}
