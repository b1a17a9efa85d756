package io.mykit.delay.queue.trace;

import io.mykit.delay.common.lifecycle.Service;

/** The way of spans to a tracing system. Thread-safe; {@link #begin} neither blocks nor throws. */
public interface Tracing extends Service {
    /** Records nothing. */
    Tracing OFF = new Tracing() {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public Span begin(SpanStart start) {
            return Span.NONE;
        }

        @Override
        public void start() {
            // There is nothing to start.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    };

    /** Whether spans are recorded. If not, callers need not collect what a span says. */
    boolean isOn();

    /** Begins a span that is recorded. The caller has decided that its trace is sampled. */
    Span begin(SpanStart start);
}
