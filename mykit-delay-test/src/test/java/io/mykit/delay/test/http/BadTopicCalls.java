package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faulty calls that pause, resume or clear one topic, or change its policy. */
final class BadTopicCalls {
    private static final String PAUSE = "/topics/pause?topic=t&for=";
    private static final String STATES = "state must be ready or all";

    private BadTopicCalls() {}

    static Stream<BadRequest> all() {
        return Stream.of(
                        names("pause"),
                        names("resume"),
                        names("retry"),
                        names("clear"),
                        lengths(),
                        clears(),
                        bodies(),
                        policies())
                .flatMap(List::stream);
    }

    private static List<BadRequest> names(String verb) {
        String path = "/topics/" + verb;
        List<BadRequest> bad = new ArrayList<>();
        bad.add(call("POST", path, "topic is required"));
        bad.add(call("POST", path + "?topic=", "topic is empty"));
        bad.add(call("POST", path + "?topic=%20", "topic is blank"));
        bad.add(call("POST", path + "?topic=t%20", "topic begins or ends with white space"));
        bad.add(call("POST", path + "?topic=t%00", "topic contains a control character"));
        bad.add(call("POST", path + "?topic=" + "x".repeat(129), "topic is longer than 128 characters"));
        bad.add(call("POST", path + "?topic=t&topic=u", "topic is given twice, with different values"));
        for (String pattern : List.of("*", "shop/*")) {
            bad.add(call(
                    "POST",
                    path + "?topic=" + pattern,
                    "topic ends with *: this call takes the exact name of one topic, and no pattern"));
        }
        bad.add(call("GET", path + "?topic=t", 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"));
        return bad;
    }

    private static List<BadRequest> lengths() {
        List<BadRequest> bad = new ArrayList<>();
        for (String value : List.of("0", "999", "-1", "999ms", "31536000001", "366d")) {
            bad.add(call("POST", PAUSE + value, "for must be from 1s to 365d"));
        }
        for (String value : List.of("", "soon", "1w", "1.5")) {
            bad.add(call(
                    "POST",
                    PAUSE + value,
                    "for must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m"));
        }
        bad.add(call("POST", PAUSE + "1s&for=2s", "for is given twice, with different values"));
        bad.add(call("POST", "/topics/resume?topic=t&for=1s", "unknown parameter for; known are topic"));
        bad.add(call("POST", PAUSE + "1s&until=5", "unknown parameter until; known are topic, for"));
        return bad;
    }

    private static List<BadRequest> clears() {
        List<BadRequest> bad = new ArrayList<>();
        String path = "/topics/clear";
        bad.add(call("POST", path + "?topic=t", STATES));
        for (String state : List.of("", "READY", "waiting")) {
            bad.add(call("POST", path + "?topic=t&state=" + state, STATES));
        }
        for (String name : List.of("dryRun", "stop")) {
            for (String value : List.of("", "1", "TRUE")) {
                bad.add(call(
                        "POST", path + "?topic=t&state=all&" + name + "=" + value, name + " must be true or false"));
            }
        }
        bad.add(call("POST", path + "?topic=t&state=all&wait=2h", "wait must be from 0s to 1h"));
        bad.add(call("POST", path + "?topic=t&stop=true", "stop=true goes alone; leave out topic"));
        bad.add(call(
                "POST", path + "?prefix=t", "unknown parameter prefix; known are topic, state, dryRun, wait, stop"));
        return bad;
    }

    private static List<BadRequest> bodies() {
        return List.of(
                json("pause", "[]", "malformed JSON: expected an object at line 1, column 1"),
                json("pause", "{\"topic\":7}", "topic must be a string"),
                json("pause", "{\"topic\":\"t\",\"for\":0}", "for must be from 1s to 365d"),
                json("resume", "{\"topic\":null}", "topic is required"),
                json("clear", "{\"topic\":\"t\",\"state\":\"all\",\"dryRun\":1}", "dryRun must be true or false"));
    }

    /** Others are in PolicyCallsTest, TopicChangeCallsTest and OwnSettingsTest. */
    private static List<BadRequest> policies() {
        String path = "/topics/policy";
        return List.of(
                call("GET", path, 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"),
                call(
                        "POST",
                        path + "?topic=t",
                        "unknown parameter topic; this call has no parameters, its fields stand in the JSON body"));
    }

    private static BadRequest json(String verb, String body, String message) {
        String path = "/topics/" + verb;
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
