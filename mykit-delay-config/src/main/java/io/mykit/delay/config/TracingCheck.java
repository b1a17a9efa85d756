package io.mykit.delay.config;

import static io.mykit.delay.config.ConfigKeys.ROOT;

import io.mykit.delay.common.value.DurationParser;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/** Checks the section {@code tracing}. Stateless. */
final class TracingCheck {
    private static final String SECTION = ROOT + ".tracing.";
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$&^_.|~-]+=[\\x20-\\x2b\\x2d-\\x7e]*");
    private static final Pattern NAME = Pattern.compile("[^\\p{Cntrl}]{1,100}");

    private TracingCheck() {}

    static void run(TracingConfig tracing, Problems problems) {
        tracing.otlp().endpoint().ifPresent(endpoint -> {
            if (!isEndpoint(endpoint)) {
                problems.add(
                        SECTION + "otlp.endpoint",
                        endpoint,
                        "must be http://host:port/path or https://host:port/path without an account;"
                                + " tracing.otlp.headers takes a token");
            }
        });
        tracing.otlp().headers().ifPresent(headers -> {
            for (String header : headers.reveal().split(",", -1)) {
                if (!HEADER.matcher(header.strip()).matches()) {
                    problems.add(SECTION + "otlp.headers", headers.reveal(), "must be name=value,name=value");
                    break;
                }
            }
        });
        range("otlp.timeout", tracing.otlp().timeout(), Duration.ofMillis(100), Duration.ofMinutes(1), problems);
        range("same-trace-within", tracing.sameTraceWithin(), Duration.ZERO, Duration.ofDays(1), problems);
        if (!NAME.matcher(tracing.serviceName()).matches()) {
            problems.add(SECTION + "service-name", tracing.serviceName(), "must be 1 to 100 printable characters");
        }
        if (!(tracing.ratio() >= 0 && tracing.ratio() <= 1)) {
            problems.add(SECTION + "ratio", tracing.ratio(), "must be from 0 to 1");
        }
    }

    private static boolean isEndpoint(String text) {
        try {
            URI uri = URI.create(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return http && uri.getHost() != null && uri.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void range(String key, Duration value, Duration min, Duration max, Problems problems) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            problems.add(
                    SECTION + key,
                    DurationParser.format(value),
                    "must be from " + DurationParser.format(min) + " to " + DurationParser.format(max));
        }
    }
}
