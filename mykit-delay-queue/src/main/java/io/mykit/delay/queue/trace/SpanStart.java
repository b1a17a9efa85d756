package io.mykit.delay.queue.trace;

import io.mykit.delay.common.trace.TraceContext;
import java.util.List;
import java.util.Optional;

/**
 * The begin of a span. Immutable.
 *
 * @param parent the span that this one belongs to; empty = this one begins a trace
 * @param links spans of other traces that this one follows from
 * @param agoNanos how long ago the work began
 */
public record SpanStart(
        String name, SpanKind kind, Optional<TraceContext> parent, List<TraceContext> links, long agoNanos) {
    public SpanStart {
        links = List.copyOf(links);
    }

    /** A span that begins now, without links. */
    public SpanStart(String name, SpanKind kind, Optional<TraceContext> parent) {
        this(name, kind, parent, List.of(), 0);
    }
}
