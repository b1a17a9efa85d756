package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.util.regex.Pattern;

/** The forms of host, service and method. Each failure is an IllegalArgumentException whose message continues a sentence. Stateless. */
final class CallNames {
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";
    private static final Pattern METHOD = Pattern.compile(NAME);
    private static final Pattern SERVICE = Pattern.compile(NAME + "(\\." + NAME + ")*");
    private static final int MAX_SERVICE = 255;
    private static final int MAX_METHOD = 128;

    private CallNames() {}

    /** {@code 10.0.0.7:9090}, {@code grpc://host:port}, {@code grpcs://host:port}, {@code service://name}. */
    static Destination host(String text) {
        Destination host = Destination.of(text.contains("://") ? text : "grpc://" + text, Schemes.GRPC);
        if (!host.path().equals("/")) {
            throw new IllegalArgumentException("must not have a path: service and method have fields of their own");
        }
        return host;
    }

    /** The full name of a service: {@code shop.Orders}. */
    static String service(String text) {
        if (text.length() > MAX_SERVICE || !SERVICE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "must be the full name of a service, such as shop.Orders: letters, digits,"
                            + " underscores, and dots between the parts, at most " + MAX_SERVICE);
        }
        return text;
    }

    static String method(String text) {
        if (text.length() > MAX_METHOD || !METHOD.matcher(text).matches()) {
            throw new IllegalArgumentException("must be the name of a method, such as Cancel: letters, digits and"
                    + " underscores, at most " + MAX_METHOD);
        }
        return text;
    }

    static String path(String service, String method) {
        return "/" + service + "/" + method;
    }
}
