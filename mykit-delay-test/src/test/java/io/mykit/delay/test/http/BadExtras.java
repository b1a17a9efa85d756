package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.field;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The mistakes in the parts of a push that few messages have. */
final class BadExtras {

    private BadExtras() {}

    static Stream<BadRequest> all() {
        return Stream.of(bodies(), objects(), headers(), retry(), gaps(), durations(), targets(), webhooks())
                .flatMap(requests -> requests);
    }

    private static Stream<BadRequest> bodies() {
        List<BadRequest> bad = new ArrayList<>();
        bad.add(field("body", "\"\",\"bodyBase64\":\"\"", "body and bodyBase64 exclude each other"));
        bad.add(field("bodyBase64", "\"AP8H\",\"body\":{}", "body and bodyBase64 exclude each other"));
        bad.add(field("bodyBase64", "\"\",\"bodyBase64\":\"\"", "bodyBase64 is given twice"));
        for (String value : List.of("7", "true", "[]", "{}")) {
            bad.add(field("bodyBase64", value, "bodyBase64 must be a string"));
        }
        for (String text : List.of("A", "A===", "AA==AA==", "AP8H ", "\\ud83d", " AP8H", "AP_-", "AP8H\\n", "\u4e2d")) {
            bad.add(field("bodyBase64", "\"" + text + "\"", "bodyBase64 must be Base64 (RFC 4648, section 4)"));
        }
        return bad.stream();
    }

    private static Stream<BadRequest> objects() {
        return Stream.of("headers", "retry", "target")
                .flatMap(field -> Stream.concat(
                        Stream.of("7", "\"{}\"", "[]", "true")
                                .map(value -> field(field, value, field + " must be an object")),
                        Stream.of(field(field, "{},\"" + field + "\":{}", field + " is given twice"))));
    }

    private static Stream<BadRequest> headers() {
        List<BadRequest> bad = new ArrayList<>();
        bad.add(header("", "\"v\"", "a name in headers is empty"));
        bad.add(header(" a", "\"v\"", "a name in headers begins or ends with white space"));
        bad.add(header("a\\u0001b", "\"v\"", "a name in headers contains a control character"));
        bad.add(header("x".repeat(129), "\"v\"", "a name in headers is longer than 128 characters"));
        bad.add(header(
                "Mykit-Delay-id",
                "\"v\"",
                "headers.Mykit-Delay-id is reserved: the server writes mykit-delay-* itself"));
        for (String name : List.of(
                "Host",
                "content-length",
                "connection",
                "transfer-encoding",
                "te",
                "trailer",
                "upgrade",
                "expect",
                "keep-alive",
                "proxy-a",
                "Webhook-Id",
                "ce-id",
                "ce_id",
                "grpc-timeout")) {
            bad.add(hookHeaders("\"" + name + "\":\"v\"", "headers." + name + " is reserved on HTTP"));
        }
        bad.add(hookHeaders(
                "\"a b\":\"v\"",
                "headers.a b is no name of an HTTP header: letters, digits, hyphens, underscores and dots"));
        bad.add(hookHeaders(
                "\"userId\":\"\",\"userid\":\"\"",
                "headers.userId and headers.userid exclude each other: HTTP compares names without their case"));
        bad.add(hookHeaders(
                "\"a\":\"" + "x".repeat(8192) + "\"", "headers is longer than 8192 bytes, which is the limit on HTTP"));
        for (String value : List.of("7", "null", "{}", "[]")) {
            bad.add(header("a", value, "headers.a must be a string"));
        }
        bad.add(header("a", "\"\\ud83d\"", "headers.a contains an unpaired surrogate"));
        bad.add(header("a", "\"\",\"a\":\"\"", "headers.a is given twice"));
        bad.add(field("headers", object(129, 1), "headers has more than 128 entries"));
        bad.add(field("headers", object(2, 8192), "headers is longer than 16384 bytes"));
        return bad.stream();
    }

    private static Stream<BadRequest> retry() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                field("retry", "{\"maxAttempt\":1}", "unknown field retry.maxAttempt; did you mean retry.maxAttempts?"),
                field(
                        "retry",
                        "{\"type\":1}",
                        "unknown field retry.type; known are maxAttempts, interval, multiplier, maxInterval, gaps, jitter"),
                field("retry", "{\"jitter\":0,\"jitter\":0}", "retry.jitter is given twice"),
                field("retry", "{\"maxAttempts\":10001}", "retry.maxAttempts must not be greater than 10000"),
                field("retry", "{\"maxAttempts\":-1}", "retry.maxAttempts must not be negative"),
                field("retry", "{\"maxAttempts\":1.5}", "retry.maxAttempts must be an integer"),
                field(
                        "retry",
                        "{\"interval\":2000,\"maxInterval\":\"1s\"}",
                        "retry.maxInterval must not be less than retry.interval")));
        for (String value : List.of("\"six\"", "true", "[]", "{}", "1.0")) {
            bad.add(field("retry", "{\"maxAttempts\":" + value + "}", "retry.maxAttempts must be an integer"));
        }
        bad.add(field(
                "retry",
                "{\"maxAttempts\":9223372036854775808}",
                "retry.maxAttempts must be an integer between 0 and 10000"));
        for (String value : List.of("0.99", "10.01", "-1", "1e400", "\"2\"", "true", "{}", "[]")) {
            bad.add(field("retry", "{\"multiplier\":" + value + "}", "retry.multiplier must be a number from 1 to 10"));
        }
        for (String value : List.of("-0.01", "1.01", "\"0\"", "false")) {
            bad.add(field("retry", "{\"jitter\":" + value + "}", "retry.jitter must be a number from 0 to 1"));
        }
        return bad.stream();
    }

    private static Stream<BadRequest> gaps() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                field("retry", "{\"gaps\":\"5s,1m\"}", "retry.gaps must be an array"),
                field("retry", "{\"gaps\":[]}", "retry.gaps is empty"),
                field("retry", "{\"gaps\":{}}", "retry.gaps must be an array"),
                field("retry", "{\"gaps\":[null]}", "retry.gaps[0]" + BadRequests.NO_DURATION),
                field("retry", "{\"gaps\":[[1]]}", "retry.gaps[0]" + BadRequests.NO_DURATION),
                field("retry", "{\"gaps\":[-1]}", "retry.gaps[0] must not be negative"),
                field("retry", "{\"gaps\":[0,1.5]}", "retry.gaps[1] must be an integer"),
                field("retry", "{\"gaps\":[2592000001]}", "retry.gaps[0] must not be greater than 2592000000"),
                field("retry", "{\"gaps\":[1,\"x\"]}", "retry.gaps[1]" + BadRequests.NO_DURATION),
                field("retry", "{\"gaps\":[\"31d\"]}", "retry.gaps[0] must be from 0s to 30d"),
                field("retry", "{\"gaps\":[" + "1,".repeat(64) + "1]}", "retry.gaps has more than 64 entries")));
        for (String other : List.of("interval", "multiplier", "maxInterval")) {
            bad.add(field(
                    "retry",
                    "{\"gaps\":[1],\"" + other + "\":1}",
                    "retry.gaps excludes interval, multiplier and maxInterval"));
        }
        return bad.stream();
    }

    private static Stream<BadRequest> durations() {
        List<BadRequest> bad = new ArrayList<>();
        for (String value : List.of("\"\"", "\"5 s\"", "\"s\"", "\"1w\"", "true", "[]", "{}")) {
            bad.add(field("ttr", value, "ttr" + BadRequests.NO_DURATION));
        }
        for (String value : List.of("0", "999", "\"5\"", "\"999ms\"", "\"25h\"", "\"PT-5S\"", "\"99999999999d\"")) {
            bad.add(field("ttr", value, "ttr must be from 1s to 1d"));
        }
        bad.add(field("ttr", "86400001", "ttr must not be greater than 86400000"));
        bad.add(field("ttr", "-1", "ttr must not be negative"));
        bad.add(field("ttr", "1.5", "ttr must be an integer"));
        for (String key : List.of("interval", "maxInterval")) {
            bad.add(field("retry", "{\"" + key + "\":\"31d\"}", "retry." + key + " must be from 0s to 30d"));
            bad.add(field("retry", "{\"" + key + "\":\"soon\"}", "retry." + key + BadRequests.NO_DURATION));
            bad.add(field("retry", "{\"" + key + "\":true}", "retry." + key + BadRequests.NO_DURATION));
            bad.add(field("retry", "{\"" + key + "\":[]}", "retry." + key + BadRequests.NO_DURATION));
            bad.add(field("retry", "{\"" + key + "\":-1}", "retry." + key + " must not be negative"));
            bad.add(field(
                    "retry", "{\"" + key + "\":2592000001}", "retry." + key + " must not be greater than 2592000000"));
        }
        return bad.stream();
    }

    /** The topic hooks goes to the channel webhook, which opens http://*.example.com. */
    private static Stream<BadRequest> webhooks() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                hook("{\"method\":\"PUT\"}", "target.url is missing"),
                hook(
                        "{\"url\":\"http://a.example.com/\",\"path\":\"/\"}",
                        "target.path is unknown: a target has url and method"),
                hook(
                        "{\"url\":\"http://a.example.com/\",\"method\":\"HEAD\"}",
                        "target.method must be one of POST, PUT, PATCH, DELETE, GET"),
                hook("{\"url\":\"\"}", "target.url must begin with http://, https:// or service://"),
                hook(
                        "{\"url\":\"ftp://a.example.com/\"}",
                        "target.url must begin with http://, https:// or service://"),
                hook(
                        "{\"url\":\"http://2130706433/\"}",
                        "target.url has an IPv4 address that is not written as four decimal numbers"
                                + " from 0 to 255"),
                hook(
                        "{\"url\":\"service://u:p@shop/\"}",
                        "target.url must not have a user or a password; a header can carry them"),
                hook(
                        "{\"url\":\"service://shop:8080/\"}",
                        "target.url must not have a port: the instances of a service have their own"),
                hook("{\"url\":\"service://shop/#x\"}", "target.url must not have a fragment (#...)"),
                hook("{\"url\":\"service://sh op/\"}", "target.url is no URL: Illegal character in authority"),
                BadRequest.push(
                        "{\"topic\":\"hooks\",\"id\":\"bad\"}",
                        "target is missing, and neither webhook.url nor webhook.topics.hooks.url is configured")));
        for (String name : List.of("/x", "?x=1", "sh%6fp/", "-shop/", "\u5546\u5e97/")) {
            bad.add(hook(
                    "{\"url\":\"service://" + name + "\"}",
                    "target.url has no name of a service: 1 to 100 letters, digits, hyphens, underscores and dots; the"
                            + " first and the last are letters or digits"));
        }
        for (String receiver : List.of(
                "http://127.0.0.1:80",
                "http://169.254.169.254:80",
                "http://[::ffff:10.0.0.1]:80",
                "http://[64:ff9b::a00:1]:80",
                "https://a.example.com:443",
                "http://example.com:80",
                "service://shop")) {
            bad.add(forbidden("", receiver));
            bad.add(forbidden(",\"replace\":true", receiver));
        }
        return bad.stream();
    }

    private static BadRequest hook(String target, String message) {
        return BadRequest.push("{\"topic\":\"hooks\",\"id\":\"bad\",\"target\":" + target + "}", message);
    }

    private static BadRequest hookHeaders(String headers, String message) {
        return BadRequest.push(
                "{\"topic\":\"hooks\",\"id\":\"bad\",\"target\":{\"url\":\"http://a.example.com/\"},\"headers\":{"
                        + headers + "}}",
                message);
    }

    private static BadRequest forbidden(String more, String receiver) {
        String body = "{\"topic\":\"hooks\",\"id\":\"bad\",\"target\":{\"url\":\"" + receiver + "/x\"}" + more + "}";
        return new BadRequest(
                body,
                "POST",
                "/push",
                BodyPublishers.ofString(body),
                403,
                "TARGET_FORBIDDEN",
                "target.url is not allowed: no pattern of webhook.targets allows it; an operator can add a pattern for "
                        + receiver);
    }

    private static Stream<BadRequest> targets() {
        return Stream.of(
                field("target", "{\"url\":{}}", "target.url must be a string"),
                field("target", "{\"\":\"\"}", "unknown field target."),
                field("target", "{\"a\":\"\\ud83d\"}", "target.a contains an unpaired surrogate"),
                field(
                        "target",
                        "{\"url\":\"http://localhost/\"}",
                        "target is not allowed here: the channel console of this topic takes no targets"),
                field("target", "{\"url\":7}", "target.url must be a string"),
                field("target", "{\"url\":null}", "target.url must be a string"),
                field("target", "{\"a b\":\"\"}", "unknown field target.a b"),
                field("target", "{\"a\":\"\",\"a\":\"\"}", "target.a is given twice"),
                field("target", "{\"a\":\"\\n\"}", "target.a contains a control character"),
                field("target", object(1, 2049), "target.n0 is longer than 2048 characters"),
                field("target", object(17, 1), "target has more than 16 entries"));
    }

    private static BadRequest header(String name, String value, String message) {
        return field("headers", "{\"" + name + "\":" + value + "}", message);
    }

    private static String object(int entries, int length) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            fields.add("\"n" + i + "\":\"" + "x".repeat(length) + "\"");
        }
        return "{" + String.join(",", fields) + "}";
    }
}
