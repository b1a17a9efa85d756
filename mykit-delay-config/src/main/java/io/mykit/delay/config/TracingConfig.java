package io.mykit.delay.config;

import io.mykit.delay.common.value.Secret;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** {@code mykit.delay.tracing.*}: traces that go through the delay (W3C Trace Context, OpenTelemetry). */
public interface TracingConfig {
    /** Whether a message keeps the trace headers of the request that pushed it. */
    @WithDefault("true")
    boolean propagate();

    OtlpConfig otlp();

    /** The name of this server in its spans. */
    @WithDefault("mykit-delay")
    String serviceName();

    /** The share of the requests without a trace header for which a trace begins, from 0 to 1. */
    @WithDefault("0")
    double ratio();

    /**
     * A delivery that begins so soon after the creation of its message belongs to the trace of the push. Other deliveries
     * have traces of their own, with links.
     */
    @WithDefault("0s")
    Duration sameTraceWithin();

    /** {@code mykit.delay.tracing.otlp.*}: the receiver of the spans. */
    interface OtlpConfig {
        /** An HTTP URL that takes OTLP as protobuf; empty = no spans are made. */
        Optional<String> endpoint();

        /** Headers of each request to the endpoint: {@code name=value,name=value}. */
        Optional<Secret> headers();

        /** The timeout of one request to the endpoint. */
        @WithDefault("10s")
        Duration timeout();
    }
}
