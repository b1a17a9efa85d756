package io.mykit.delay.queue.trace;

import io.mykit.delay.common.trace.TraceContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Keeps the spans. For one thread. */
final class RecordedTracing implements Tracing {
    final List<Recorded> spans = new ArrayList<>();

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Span begin(SpanStart start) {
        Recorded span = new Recorded(start, spans.size() + 1);
        spans.add(span);
        return span;
    }

    @Override
    public void start() {
        // There is nothing to start.
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    static final class Recorded implements Span {
        final SpanStart start;
        final Map<String, Object> attributes = new HashMap<>();
        String error;
        int ends;
        private final TraceContext context;

        Recorded(SpanStart start, long number) {
            this.start = start;
            String id = HexFormat.of().toHexDigits(number);
            String trace = start.parent().map(TraceContext::traceId).orElse(id + id);
            this.context = new TraceContext(trace, id, 1, "");
        }

        @Override
        public Optional<TraceContext> context() {
            return Optional.of(context);
        }

        @Override
        public void put(String name, String value) {
            attributes.put(name, value);
        }

        @Override
        public void put(String name, long value) {
            attributes.put(name, value);
        }

        @Override
        public void link(TraceContext other) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fail(String type, String detail) {
            error = type + ": " + detail;
        }

        @Override
        public void end() {
            ends++;
        }
    }
}
