package io.mykit.delay.controller.http;

import io.mykit.delay.access.trace.SpanForm;
import io.mykit.delay.queue.trace.Attributes;
import io.mykit.delay.queue.trace.Span;

/**
 * The span of a request of HTTP. Immutable.
 *
 * @param pattern of the path
 */
record HttpSpan(String method, String pattern) implements SpanForm {
    private static final int SERVER_ERROR = 500;

    @Override
    public String name() {
        return method + " " + pattern;
    }

    @Override
    public void describe(Span span) {
        span.put(Attributes.HTTP_METHOD, method);
        span.put(Attributes.HTTP_ROUTE, pattern);
        span.put(Attributes.URL_SCHEME, "http");
    }

    @Override
    public void answered(Span span, int status) {
        span.put(Attributes.HTTP_STATUS, status);
        if (status >= SERVER_ERROR) {
            span.fail(Integer.toString(status), "");
        }
    }
}
