package io.mykit.delay.queue.trace;

import io.mykit.delay.config.TracingConfig;

/**
 * Makes the {@link Tracing} of a server. {@link java.util.ServiceLoader} finds it, so it needs a public constructor without
 * arguments. The server looks for it only if {@code tracing.otlp.endpoint} is set.
 */
public interface TracingFactory {
    /**
     * @param config has an endpoint
     * @param version of this server
     * @param instance the name of this node, unlike that of all others
     */
    Tracing create(TracingConfig config, String version, String instance, SpanMeters meters);
}
