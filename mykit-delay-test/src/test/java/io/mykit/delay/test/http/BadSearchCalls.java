package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faulty calls that find messages, or move the due time of one. */
final class BadSearchCalls {
    private static final String MESSAGES = "/messages?";
    private static final String NAMES = "status, dueFrom, dueTo, topic, topicPrefix, bizKey, idPrefix, after, limit";
    private static final String STATUSES =
            "status must be one or more of WAIT_PUT, DELAY, READY, FINISH, DELETE, RESTORE, FAILED, EXPIRED,"
                    + " separated by commas";
    private static final String RUNS = "slots must be widths with their numbers, such as 60s:60,1h:24,1d:30";

    private BadSearchCalls() {}

    static Stream<BadRequest> all() {
        return Stream.of(messages(), bodies(), reschedules(), others()).flatMap(List::stream);
    }

    private static List<BadRequest> messages() {
        List<BadRequest> bad = new ArrayList<>();
        bad.add(
                call(
                        "GET",
                        "/messages",
                        "status, dueFrom, dueTo, topic, topicPrefix, bizKey or idPrefix is required: no search reads all messages"));
        for (String status : List.of("", "delay", "1", "DELAY,", "DELAY%20")) {
            bad.add(call("GET", MESSAGES + "status=" + status, STATUSES));
        }
        for (String name : List.of("topic", "topicPrefix", "bizKey")) {
            bad.add(call("GET", MESSAGES + name + "=", name + " is empty"));
            bad.add(call("GET", MESSAGES + name + "=%20", name + " is blank"));
            bad.add(call("GET", MESSAGES + name + "=t%00", name + " contains a control character"));
            bad.add(call("GET", MESSAGES + name + "=" + "x".repeat(129), name + " is longer than 128 characters"));
        }
        bad.add(call("GET", MESSAGES + "topicPrefix=%20t", "topicPrefix begins or ends with white space"));
        bad.add(call("GET", MESSAGES + "topic=t&topicPrefix=t", "topic and topicPrefix exclude each other"));
        bad.add(call("GET", MESSAGES + "idPrefix=ab", "idPrefix must have at least 3 characters"));
        bad.add(call("GET", MESSAGES + "idPrefix=" + "x".repeat(129), "idPrefix is longer than 128 characters"));
        for (String name : List.of("dueFrom", "dueTo")) {
            bad.add(call("GET", MESSAGES + name + "=soon", name + BadRequests.NO_TIME));
            bad.add(call("GET", MESSAGES + name + "=-1", name + " must be between 0 and 253402300799999"));
        }
        bad.add(call("GET", MESSAGES + "dueFrom=1700000000001&dueTo=1700000000000", "dueFrom must be before dueTo"));
        bad.add(call(
                "GET",
                MESSAGES + "dueFrom=1700000000000&dueTo=1734560000001",
                "dueFrom and dueTo must not be further apart than 400 days"));
        for (String limit : List.of("0", "501", "-1")) {
            bad.add(call("GET", MESSAGES + "status=DELAY&limit=" + limit, "limit must be between 1 and 500"));
        }
        bad.add(call("GET", MESSAGES + "status=DELAY&after=", "after must be the next of an earlier answer"));
        bad.add(call(
                "GET", MESSAGES + "stats=DELAY", "unknown parameter stats; did you mean status? known are " + NAMES));
        bad.add(call("GET", MESSAGES + "status=DELAY&status=READY", "status is given twice, with different values"));
        bad.add(call("POST", "/messages", 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"));
        return bad;
    }

    private static List<BadRequest> bodies() {
        return List.of(
                call("GET", "/job/known?body=all", "body must be an integer"),
                call("GET", "/job/known?body=-1", "body must be between 0 and 2147483647"),
                call("GET", "/job/known?unmask=1", "unmask must be true or false"),
                call("GET", "/job/known/body?body=1", "unknown parameter body; known are unmask"),
                call("GET", "/job/who/body", 404, "NOT_FOUND", "message who is not known"));
    }

    private static List<BadRequest> reschedules() {
        return List.of(
                reschedule("", "jobId or bizKey is required"),
                reschedule("{}", "jobId or bizKey is required"),
                reschedule("[]", "malformed JSON: expected an object at line 1, column 1"),
                reschedule("{\"id\":\"\",\"delay\":0}", "jobId is required"),
                reschedule(
                        "{\"bizKey\":\"k\",\"delay\":0}",
                        "bizKey needs topic: other topics may have messages with the same key"),
                reschedule(
                        "{\"topic\":\"t\",\"id\":\"known\",\"delay\":0}",
                        "topic goes with bizKey; without bizKey leave it out"),
                reschedule(
                        "{\"id\":\"known\",\"topic\":\"t\",\"bizKey\":\"k\",\"delay\":0}",
                        "jobId and bizKey exclude each other"),
                reschedule("{\"topic\":\"t\",\"bizKey\":\"\",\"delay\":0}", "bizKey is empty"),
                reschedule("{\"topic\":\"t\",\"bizKey\":4711,\"delay\":0}", "bizKey must be a string"),
                reschedule("{\"topic\":\"t\",\"bizKey\":\"k\"}", "delay or triggerAt is required"),
                reschedule("{\"id\":\"known\"}", "delay or triggerAt is required"),
                reschedule(
                        "{\"id\":\"known\",\"delay\":0,\"triggerAt\":1700000000000}",
                        "delay and triggerAt exclude each other"),
                reschedule("{\"id\":\"known\",\"delay\":-1}", "delay must not be negative"),
                reschedule(
                        "{\"id\":\"known\",\"triggerAt\":17000000}",
                        "triggerAt must be epoch milliseconds, not less than 978307200000 (2001-01-01): 17000000"
                                + " looks like seconds"),
                reschedule("{\"id\":\"known\",\"delay\":0,\"delay\":0}", "delay is given twice"),
                reschedule(
                        "{\"jobid\":\"known\",\"delay\":0}",
                        "unknown parameter jobid; did you mean jobId? known are id, jobId, JobId, topic, bizKey,"
                                + " triggerAt, delay"),
                call(
                        "POST",
                        "/reschedule?id=known&delay=0",
                        "unknown parameter id; this call has no parameters, its fields stand in the JSON body"),
                call("GET", "/reschedule", 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"),
                new BadRequest(
                        "/reschedule of an unknown message",
                        "POST",
                        "/reschedule",
                        BodyPublishers.ofString("{\"id\":\"who\",\"delay\":0}"),
                        404,
                        "NOT_FOUND",
                        "message who is not known"));
    }

    private static List<BadRequest> others() {
        return List.of(
                call("GET", "/due?slots=", RUNS),
                call("GET", "/due?slots=1m", RUNS),
                call("GET", "/due?slots=1s:1", "slots must be from 1m to 365d"),
                call("GET", "/due?slots=1m:401", "slots must be from 1 to 400 in all"),
                call("GET", "/due?since=1", "unknown parameter since; known are slots"),
                call("GET", "/topics?sort=size", "sort must be one of name, overdue, waiting, dead, trouble"),
                call("GET", "/topics?topic=t&sort=name", "topic goes alone; leave out sort"),
                call("GET", "/dead?reasons=true", "reasons needs topic"),
                call("GET", "/dead?topic=t&reasons=1", "reasons must be true or false"));
    }

    private static BadRequest reschedule(String body, String message) {
        return new BadRequest(
                "/reschedule " + body,
                "POST",
                "/reschedule",
                BodyPublishers.ofByteArray(body.getBytes(UTF_8)),
                400,
                "INVALID_REQUEST",
                message);
    }
}
