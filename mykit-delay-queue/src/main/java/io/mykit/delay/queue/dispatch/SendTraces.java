package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.queue.trace.Span;
import java.time.InstantSource;
import java.util.List;

/** Begins the spans of sends with what the dispatcher knows about their messages. Thread-safe. */
final class SendTraces {
    private final SendSpans spans;
    private final InstantSource clock;

    SendTraces(SendSpans spans, InstantSource clock) {
        this.spans = spans;
        this.clock = clock;
    }

    /** Begins the span of one send; {@link SendSpans#end} ends it. */
    Span begin(Outlet outlet, List<Leased> batch, BatchOutcomes outcomes) {
        return spans.begin(
                outlet.measured().channel(),
                outlet.topic(),
                batch,
                Leased::message,
                leased -> outcomes.attempts(leased) + 1,
                clock.millis());
    }
}
