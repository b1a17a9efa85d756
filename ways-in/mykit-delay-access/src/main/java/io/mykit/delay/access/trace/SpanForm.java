package io.mykit.delay.access.trace;

import io.mykit.delay.queue.trace.Span;

/** The form that the span of a request has, by its protocol. */
public interface SpanForm {
    /** The name of the span. */
    String name();

    /** Adds the attributes of the request. */
    void describe(Span span);

    /** Adds the status of the answer, and marks the span as failed if the server failed. */
    void answered(Span span, int status);
}
