package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faulty calls on dead letters. The three calls share most of their parameters. */
final class BadDeadCalls {
    private static final String MAX_TIME = Long.toString(BadRequests.MAX_TIME);
    private static final String LIST = "topic, prefix, after, since, until, reason, limit, reasons";
    private static final String NO_DELAY =
            "delay must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m";

    private BadDeadCalls() {}

    static Stream<BadRequest> all() {
        return Stream.of(lists(), changes("respawn"), changes("discard"), paces(), ids(), bodies())
                .flatMap(List::stream);
    }

    private static List<BadRequest> lists() {
        List<BadRequest> bad = new ArrayList<>(choices("GET", "/dead", 1000));
        for (String name : List.of("after=5-YQ", "since=" + MAX_TIME, "until=" + MAX_TIME, "reason=BURIED")) {
            bad.add(call("GET", "/dead?" + name, name.replaceAll("=.*", "") + " needs topic"));
        }
        for (String after : List.of("", "x", "5", "-5", "5-%25", "a-YQ", "99999999999999999999-YQ")) {
            bad.add(call("GET", "/dead?topic=t&after=" + after, "after must be the next of an earlier answer"));
        }
        for (String name : List.of("delay", "perSecond", "dryRun", "stop", "jobId")) {
            bad.add(call("GET", "/dead?topic=t&" + name + "=1", "unknown parameter " + name + "; known are " + LIST));
        }
        bad.add(call("POST", "/dead?topic=t", 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"));
        return bad;
    }

    private static List<BadRequest> changes(String change) {
        String path = "/dead/" + change;
        List<BadRequest> bad = new ArrayList<>(choices("POST", path, 1_000_000_000));
        String choose = "topic or prefix is required, or jobId for one dead letter";
        for (String query : List.of("", "?dryRun=true", "?reason=REFUSED", "?limit=5", "?since=" + MAX_TIME)) {
            bad.add(call("POST", path + query, choose));
        }
        for (String name : List.of("dryRun", "stop")) {
            for (String value : List.of("", "1", "yes", "TRUE")) {
                bad.add(call("POST", path + "?topic=t&" + name + "=" + value, name + " must be true or false"));
            }
        }
        bad.add(call("POST", path + "?topic=t&stop=true", "stop=true goes alone; leave out topic"));
        bad.add(call("GET", path + "?topic=t", 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"));
        return bad;
    }

    /** The parameters that say which dead letters are meant. */
    private static List<BadRequest> choices(String method, String path, long maxLimit) {
        List<BadRequest> bad = new ArrayList<>();
        for (String name : List.of("topic", "prefix")) {
            String given = path + "?" + name + "=";
            bad.add(call(method, given, name + " is empty"));
            bad.add(call(method, given + "%20", name + " is blank"));
            bad.add(call(method, given + "t%20", name + " begins or ends with white space"));
            bad.add(call(method, given + "t%00", name + " contains a control character"));
            bad.add(call(method, given + "x".repeat(129), name + " is longer than 128 characters"));
            bad.add(call(method, given + "t&" + name + "=t", name + " is given twice"));
            bad.add(call(method, given + "t&" + name + "=u", name + " is given twice, with different values"));
        }
        bad.add(call(method, path + "?topic=t&prefix=t", "topic and prefix exclude each other"));
        String topic = path + "?topic=t&";
        for (String name : List.of("since", "until")) {
            for (String value : List.of("", "soon", "1.5", "1e3", "%201", "9999999999999999999")) {
                bad.add(call(method, topic + name + "=" + value, name + BadRequests.NO_TIME));
            }
            for (String value : List.of("-1", "253402300800000")) {
                bad.add(call(method, topic + name + "=" + value, name + " must be between 0 and " + MAX_TIME));
            }
            String limit = name + " must be epoch milliseconds, not less than 978307200000 (2001-01-01): ";
            bad.add(call(method, topic + name + "=0", limit + "0 is no time, leave the field out instead"));
            bad.add(call(method, topic + name + "=1700000000", limit + "1700000000 looks like seconds"));
        }
        bad.add(call(method, topic + "since=" + MAX_TIME + "&until=" + MAX_TIME, "since must be before until"));
        for (String value : List.of("", "attempts", "DEAD", "ATTEMPTS,REFUSED")) {
            bad.add(call(method, topic + "reason=" + value, "reason must be one of ATTEMPTS, REFUSED, BURIED"));
        }
        for (String value : List.of("", "ten", "1.0", "0x1")) {
            bad.add(call(method, topic + "limit=" + value, "limit must be an integer"));
        }
        for (long value : new long[] {-1, 0, maxLimit + 1}) {
            bad.add(call(method, topic + "limit=" + value, "limit must be between 1 and " + maxLimit));
        }
        return bad;
    }

    private static List<BadRequest> paces() {
        List<BadRequest> bad = new ArrayList<>();
        String path = "/dead/respawn?topic=t&";
        for (String value : List.of("", "soon", "5%20s", "1w", "1.5", "9999999999999999999")) {
            bad.add(call("POST", path + "delay=" + value, NO_DELAY));
        }
        for (String value : List.of("-1", "253402300800000")) {
            bad.add(call("POST", path + "delay=" + value, "delay must be from 0s to " + MAX_TIME + "ms"));
        }
        for (String value : List.of("", "many", "0.5")) {
            bad.add(call("POST", path + "perSecond=" + value, "perSecond must be an integer"));
        }
        for (String value : List.of("-1", "0", "1000001")) {
            bad.add(call("POST", path + "perSecond=" + value, "perSecond must be between 1 and 1000000"));
        }
        for (String name : List.of("delay", "perSecond")) {
            bad.add(
                    call(
                            "POST",
                            "/dead/discard?topic=t&" + name + "=1",
                            "unknown parameter " + name
                                    + "; known are topic, prefix, since, until, reason, limit, dryRun, stop, jobId, JobId, id"));
        }
        return bad;
    }

    private static List<BadRequest> ids() {
        List<BadRequest> bad = new ArrayList<>();
        for (String path : List.of("/dead/respawn", "/dead/discard")) {
            // The message "known" is alive.
            bad.add(call("POST", path + "?jobId=known", 404, "NOT_FOUND", "no dead letter has the id known"));
            bad.add(call("POST", path + "?id=who", 404, "NOT_FOUND", "no dead letter has the id who"));
            bad.add(call("POST", path + "?jobId=", "jobId is required"));
            bad.add(call("POST", path + "?jobId=" + "x".repeat(129), "jobId is longer than 128 characters"));
            bad.add(call("POST", path + "?jobId=known&id=who", "jobId is given twice, with different values"));
            bad.add(call("POST", path + "?jobId=known&dryRun=true", "jobId goes alone; leave out dryRun"));
        }
        return bad;
    }

    private static List<BadRequest> bodies() {
        List<BadRequest> bad = new ArrayList<>();
        for (String path : List.of("/dead/respawn", "/dead/discard")) {
            bad.add(json(path, "[]", "malformed JSON: expected an object at line 1, column 1"));
            bad.add(json(path, "{}", "topic or prefix is required, or jobId for one dead letter"));
            bad.add(json(path, "{\"topic\":null}", "topic or prefix is required, or jobId for one dead letter"));
            bad.add(json(path, "{\"topic\":[]}", "topic must be a string"));
            bad.add(json(path, "{\"topic\":\"\\ud83d\"}", "topic contains an unpaired surrogate"));
            bad.add(json(path, "{\"topic\":\"t\",\"reason\":7}", "reason must be a string"));
            bad.add(json(path, "{\"topic\":\"t\",\"since\":\"soon\"}", "since" + BadRequests.NO_TIME));
            bad.add(json(path, "{\"topic\":\"t\",\"limit\":{}}", "limit must be an integer"));
            bad.add(json(path, "{\"topic\":\"t\",\"dryRun\":1}", "dryRun must be true or false"));
            bad.add(json(path, "{\"stop\":\"true\"}", "stop must be true or false"));
            bad.add(json(path, "{\"jobId\":1.5}", "jobId must be a string or an integer"));
            bad.add(json(
                    path + "?topic=t", "{\"dryRun\":true}", "the fields stand in the URL or in the body, not in both"));
        }
        return bad;
    }

    private static BadRequest json(String path, String body, String message) {
        return new BadRequest(
                path + " " + body,
                "POST",
                path,
                BodyPublishers.ofByteArray(body.getBytes(UTF_8)),
                400,
                "INVALID_REQUEST",
                message);
    }
}
