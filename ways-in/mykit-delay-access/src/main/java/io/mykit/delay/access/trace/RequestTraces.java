package io.mykit.delay.access.trace;

import io.mykit.delay.common.trace.TraceContext;
import io.mykit.delay.queue.trace.Tracing;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Begins the traces of requests. Without an endpoint for spans it only reads the client's context. Thread-safe. */
public final class RequestTraces {
    /** Keeps no context and makes no spans. */
    public static final RequestTraces NONE = new RequestTraces(Tracing.OFF, false, 0);

    private final Tracing tracing;
    private final boolean propagate;
    private final double ratio;

    /**
     * @param propagate whether a message keeps the context of the request that pushed it
     * @param ratio the share of requests without a context for which a trace begins, from 0 to 1
     */
    public RequestTraces(Tracing tracing, boolean propagate, double ratio) {
        this.tracing = tracing;
        this.propagate = propagate;
        this.ratio = ratio;
    }

    /**
     * Begins the trace of a request. A request that its client did not sample has no span.
     *
     * @param parent the value of {@link TraceContext#PARENT}; null = none
     * @param states the values of {@link TraceContext#STATE}
     * @param sinceNanos when the request came, {@link System#nanoTime()}
     */
    public RequestTrace begin(SpanForm form, String parent, List<String> states, long sinceNanos) {
        if (parent == null && !tracing.isOn()) {
            return RequestTrace.NONE;
        }
        Optional<TraceContext> given =
                parent == null ? Optional.empty() : TraceContext.read(parent, String.join(",", states));
        RequestTrace trace = new RequestTrace(tracing, propagate, form, given, sinceNanos);
        if (tracing.isOn() && given.map(TraceContext::isSampled).orElseGet(this::isDrawn)) {
            trace.begin();
        }
        return trace;
    }

    private boolean isDrawn() {
        return ratio > 0 && ThreadLocalRandom.current().nextDouble() < ratio;
    }
}
