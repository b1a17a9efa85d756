package io.mykit.delay.tracing;

import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.Span;
import io.mykit.delay.queue.trace.SpanStart;
import io.mykit.delay.queue.trace.Tracing;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/** Makes spans by the SDK of OpenTelemetry. Nothing is registered globally. Thread-safe. */
final class OtlpTracing implements Tracing {
    private static final String SCOPE = "io.mykit.delay";

    private final SpanQueue queue;
    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final Clock clock = Clock.getDefault();

    /** @param queue takes the spans; this object starts and closes it */
    OtlpTracing(SpanQueue queue, Resource resource, SpanLimits limits, String version) {
        this.queue = queue;
        this.provider = SdkTracerProvider.builder()
                .addSpanProcessor(queue)
                .setResource(resource)
                .setSpanLimits(limits)
                // The caller has decided.
                .setSampler(Sampler.alwaysOn())
                .setClock(clock)
                .build();
        this.tracer = provider.tracerBuilder(SCOPE)
                .setInstrumentationVersion(version)
                .setSchemaUrl(Attributes.SCHEMA)
                .build();
    }

    @Override
    public void start() {
        queue.start();
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Span begin(SpanStart start) {
        SpanBuilder builder = tracer.spanBuilder(start.name())
                .setSpanKind(SpanKind.valueOf(start.kind().name()));
        start.parent()
                .ifPresentOrElse(
                        parent -> builder.setParent(
                                Context.root().with(io.opentelemetry.api.trace.Span.wrap(Contexts.remote(parent)))),
                        builder::setNoParent);
        start.links().forEach(link -> builder.addLink(Contexts.remote(link)));
        if (start.agoNanos() > 0) {
            builder.setStartTimestamp(clock.now() - start.agoNanos(), TimeUnit.NANOSECONDS);
        }
        return new OtlpSpan(builder.startSpan());
    }

    /** Sends the spans that are left, for a bounded time. */
    @Override
    public void close() {
        provider.close();
    }
}
