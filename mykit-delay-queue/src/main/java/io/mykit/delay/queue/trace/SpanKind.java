package io.mykit.delay.queue.trace;

/** The role of a span, by the words of OpenTelemetry. */
public enum SpanKind {
    /** The answer to a request. */
    SERVER,
    /** A call of a broker or receiver. */
    CLIENT,
    /** The creation of a message. */
    PRODUCER
}
