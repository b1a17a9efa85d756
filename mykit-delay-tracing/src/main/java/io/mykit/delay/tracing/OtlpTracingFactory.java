package io.mykit.delay.tracing;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.TracingConfig;
import io.mykit.delay.queue.trace.SpanMeters;
import io.mykit.delay.queue.trace.Tracing;
import io.mykit.delay.queue.trace.TracingFactory;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import java.net.URI;

/** Makes the way of spans to an endpoint for OTLP over HTTP. Stateless. */
public final class OtlpTracingFactory implements TracingFactory {
    private static final String PATH = "/v1/traces";
    /** The maximum of characters in an attribute: an id or a topic is shorter. */
    private static final int MAX_TEXT = 512;

    /** For {@link java.util.ServiceLoader}. */
    public OtlpTracingFactory() {}

    @Override
    public Tracing create(TracingConfig config, String version, String instance, SpanMeters meters) {
        String endpoint = endpoint(config.otlp().endpoint().orElseThrow());
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint)
                .setTimeout(config.otlp().timeout())
                .setConnectTimeout(config.otlp().timeout())
                // The next spans wait in the queue while the exporter tries again, and the queue is short.
                .setRetryPolicy(null)
                .setCompression("gzip")
                .setMeterProvider(MeterProvider.noop());
        config.otlp().headers().ifPresent(headers -> addHeaders(exporter, headers));
        Resource resource = Resource.create(Attributes.of(
                AttributeKey.stringKey("service.name"), config.serviceName(),
                AttributeKey.stringKey("service.version"), version,
                AttributeKey.stringKey("service.instance.id"), instance));
        SpanQueue queue =
                new SpanQueue(exporter.build(), shown(endpoint), config.otlp().timeout(), meters);
        SpanLimits limits =
                SpanLimits.builder().setMaxAttributeValueLength(MAX_TEXT).build();
        return new OtlpTracing(queue, resource, limits, version);
    }

    private static String endpoint(String given) {
        String path = URI.create(given).getPath();
        return path.isEmpty() || path.equals("/") ? given.replaceAll("/$", "") + PATH : given;
    }

    /** The endpoint without its path and parameters, which may hold secrets. */
    private static String shown(String endpoint) {
        URI uri = URI.create(endpoint);
        return uri.getScheme() + "://" + uri.getAuthority();
    }

    private static void addHeaders(OtlpHttpSpanExporterBuilder exporter, Secret headers) {
        for (String header : headers.reveal().split(",", -1)) {
            int equals = header.indexOf('=');
            exporter.addHeader(
                    header.substring(0, equals).strip(),
                    header.substring(equals + 1).strip());
        }
    }
}
