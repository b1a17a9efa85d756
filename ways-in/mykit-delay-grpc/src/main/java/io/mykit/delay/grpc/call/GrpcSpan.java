package io.mykit.delay.grpc.call;

import io.grpc.Status;
import io.mykit.delay.access.trace.SpanForm;
import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.Span;

/**
 * The span of a call. Immutable.
 *
 * @param name the method with the full name of its service
 */
record GrpcSpan(String name) implements SpanForm {
    @Override
    public void describe(Span span) {
        span.put(Attributes.RPC_SYSTEM, "grpc");
        span.put(Attributes.RPC_METHOD, name);
    }

    @Override
    public void answered(Span span, int status) {
        Status.Code code = Status.fromCodeValue(status).getCode();
        span.put(Attributes.RPC_STATUS, code.name());
        switch (code) {
            case UNKNOWN, DEADLINE_EXCEEDED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
                span.fail(code.name(), "");
            default -> {
                // The caller's own.
            }
        }
    }
}
