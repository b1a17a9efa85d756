package io.mykit.delay.queue.trace;

import io.mykit.delay.common.trace.TraceContext;
import java.util.Optional;

/** A piece of work in a trace. Any thread may use it; no method blocks or throws. After {@link #end} all calls do nothing. */
public interface Span {
    /** The span of work that is not recorded. */
    Span NONE = new Span() {
        @Override
        public Optional<TraceContext> context() {
            return Optional.empty();
        }

        @Override
        public void put(String name, String value) {
            // Not recorded.
        }

        @Override
        public void put(String name, long value) {
            // Not recorded.
        }

        @Override
        public void link(TraceContext other) {
            // Not recorded.
        }

        @Override
        public void fail(String type, String detail) {
            // Not recorded.
        }

        @Override
        public void end() {
            // Not recorded.
        }
    };

    /** The context for work that follows from this span; empty if the span is not recorded. */
    Optional<TraceContext> context();

    /** Adds an attribute; see {@link Attributes}. */
    void put(String name, String value);

    /** Adds an attribute; see {@link Attributes}. */
    void put(String name, long value);

    /** Adds a link to a span of another trace. */
    void link(TraceContext other);

    /**
     * Marks the work as failed.
     *
     * @param type one of few words
     * @param detail for a person; may be empty
     */
    void fail(String type, String detail);

    /** Ends the span and passes it on. Idempotent. */
    void end();
}
