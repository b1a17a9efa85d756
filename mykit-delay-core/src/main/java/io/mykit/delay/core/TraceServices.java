package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.TracingConfig;
import io.mykit.delay.queue.trace.SendSpans;
import io.mykit.delay.queue.trace.SpanMeters;
import io.mykit.delay.queue.trace.Tracing;
import io.mykit.delay.queue.trace.TracingFactory;
import java.util.ServiceLoader;

/** The parts that make spans. */
record TraceServices(RequestTraces requests, SendSpans sends) {
    /**
     * Starts them; the stack closes them. Without an endpoint no class of a tracing library is loaded.
     *
     * @param instance the name of this node
     */
    static TraceServices start(
            ServiceStack services, TracingConfig config, String version, String instance, MeterRegistry meters) {
        SpanMeters counted = new SpanMeters(meters);
        Tracing tracing = config.otlp().endpoint().isEmpty()
                ? Tracing.OFF
                : services.start(factory().create(config, version, instance, counted));
        return new TraceServices(
                new RequestTraces(tracing, config.propagate(), config.ratio()),
                new SendSpans(tracing, config.sameTraceWithin()));
    }

    private static TracingFactory factory() {
        return ServiceLoader.load(TracingFactory.class)
                .findFirst()
                .orElseThrow(() -> new ConfigException("mykit.delay.tracing.otlp.endpoint is set, and lib/ has no"
                        + " mykit-delay-tracing-*.jar, which makes spans"));
    }
}
