package io.mykit.delay.tracing;

import io.mykit.delay.common.trace.TraceContext;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import java.util.stream.Collectors;

/** Contexts as the SDK has them. Stateless. */
final class Contexts {
    private Contexts() {}

    /** The context of a span of another program. */
    static SpanContext remote(TraceContext context) {
        return SpanContext.createFromRemoteParent(
                context.traceId(),
                context.spanId(),
                TraceFlags.fromByte((byte) context.flags()),
                states(context.state()));
    }

    /** The context of a span of the SDK. */
    static TraceContext of(SpanContext context) {
        String state = context.getTraceState().asMap().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        return new TraceContext(
                context.getTraceId(),
                context.getSpanId(),
                context.getTraceFlags().asByte() & 0xff,
                state);
    }

    /** Entries that the SDK does not take are left out. */
    private static TraceState states(String text) {
        if (text.isEmpty()) {
            return TraceState.getDefault();
        }
        String[] entries = text.split(",", -1);
        TraceStateBuilder states = TraceState.builder();
        // Each new entry goes to the front.
        for (int i = entries.length - 1; i >= 0; i--) {
            int equals = entries[i].indexOf('=');
            if (equals > 0) {
                states.put(
                        entries[i].substring(0, equals).strip(),
                        entries[i].substring(equals + 1).strip());
            }
        }
        return states.build();
    }
}
