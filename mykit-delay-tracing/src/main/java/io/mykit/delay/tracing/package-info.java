/**
 * The spans of this server as OpenTelemetry, sent by OTLP. {@link java.util.ServiceLoader} finds the factory, and only if an
 * endpoint is configured. Any thread ends spans; one thread sends them.
 */
package io.mykit.delay.tracing;
