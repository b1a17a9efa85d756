package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faulty calls about the state of the whole queue. */
final class BadOverviewCalls {
    private static final String STOP = "/operations/stop";

    private BadOverviewCalls() {}

    static Stream<BadRequest> all() {
        return Stream.of(reads(), audits(), stops()).flatMap(List::stream);
    }

    private static List<BadRequest> reads() {
        List<BadRequest> bad = new ArrayList<>();
        for (String path : List.of("/overview", "/operations", "/config", "/whoami")) {
            bad.add(call("GET", path + "?topic=t", "unknown parameter topic; this call has no parameters"));
            bad.add(call("POST", path, 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"));
        }
        for (String since : List.of("", "x", "1.5", "99999999999999999999")) {
            bad.add(call("GET", "/series?since=" + since, "since" + BadRequests.NO_TIME));
        }
        bad.add(call("GET", "/series?since=-1", "since must be between 0 and 253402300799999"));
        bad.add(call("GET", "/series?since=1&since=2", "since is given twice, with different values"));
        bad.add(call("GET", "/series?topic=", "topic is empty; leave it out for all topics"));
        bad.add(call("GET", "/series?sinse=1", "unknown parameter sinse; did you mean since? known are since, topic"));
        return bad;
    }

    private static List<BadRequest> audits() {
        List<BadRequest> bad = new ArrayList<>();
        for (String after : List.of("x", "1", "1800000000123-5f3a9c0", "1800000000123-5F3A9C01", "%27")) {
            bad.add(call("GET", "/audit?after=" + after, "after must be the next of an earlier answer"));
        }
        bad.add(call("GET", "/audit?limit=0", "limit must be between 1 and 500"));
        bad.add(call("GET", "/audit?limit=501", "limit must be between 1 and 500"));
        bad.add(call("GET", "/audit?limit=all", "limit must be an integer"));
        bad.add(call("GET", "/audit?action=" + "a".repeat(41), "action must have at most 40 characters"));
        bad.add(call("GET", "/audit?actor=" + "a".repeat(65), "actor must have at most 64 characters"));
        bad.add(call("GET", "/audit?since=soon", "since" + BadRequests.NO_TIME));
        bad.add(call(
                "GET", "/audit?cursor=x", "unknown parameter cursor; known are after, limit, action, actor, since"));
        bad.add(call("POST", "/audit", 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"));
        return bad;
    }

    private static List<BadRequest> stops() {
        List<BadRequest> bad = new ArrayList<>();
        bad.add(call("GET", STOP, 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"));
        bad.add(call("POST", STOP, "id is required"));
        bad.add(stop("{}", "id is required"));
        bad.add(stop("{\"id\":\"\"}", "id is required"));
        bad.add(stop("{\"id\":\"a-1\",\"all\":true}", "unknown parameter all; known are id"));
        bad.add(call(
                "POST",
                STOP + "?id=a-1",
                "unknown parameter id; this call has no parameters, its fields stand in the JSON body"));
        return bad;
    }

    private static BadRequest stop(String body, String message) {
        return new BadRequest(
                STOP + " " + body,
                "POST",
                STOP,
                BodyPublishers.ofByteArray(body.getBytes(UTF_8)),
                400,
                "INVALID_REQUEST",
                message);
    }
}
