package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.batch;
import static io.mykit.delay.test.http.BadRequest.call;
import static io.mykit.delay.test.http.BadRequest.field;
import static io.mykit.delay.test.http.BadRequest.malformed;
import static io.mykit.delay.test.http.BadRequest.push;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Faulty requests and their answers, for a server that has got {@link #KNOWN}. */
final class BadRequests {
    static final long MAX_TIME = 253_402_300_799_999L;
    static final String NO_DURATION = " must be a number of milliseconds, or a text such as 500ms, 10s, 5m or 1h30m";
    static final String NO_TIME =
            " must be epoch milliseconds, or a time such as 2027-01-15T08:00:00Z or 2027-01-15T16:00:00+08:00";
    static final int MIB = 1 << 20;
    static final String EMOJI = "\uD83D\uDE00";
    static final String KNOWN =
            "{\"topic\":\"t\",\"id\":\"known\",\"body\":\"b\",\"delay\":3600000,\"createTime\":" + "4000000000000}";

    private BadRequests() {}

    static Stream<BadRequest> all() {
        return Stream.of(
                        malformedJson(),
                        wrongTypes(),
                        outOfRange(),
                        badText(),
                        BadExtras.all(),
                        batches(),
                        conflicts(),
                        paths(),
                        BadParameters.all(),
                        BadDeadCalls.all(),
                        BadTopicCalls.all(),
                        BadPulls.all(),
                        BadOverviewCalls.all(),
                        BadSearchCalls.all(),
                        BadLogCalls.all(),
                        BadTokenCalls.all())
                .flatMap(requests -> requests);
    }

    private static Stream<BadRequest> malformedJson() {
        String whole = "{\"topic\":\"t\",\"id\":\"bad\",\"body\":{\"a\":[1,\"\u00e9\"]},\"delay\":5}";
        Stream<BadRequest> truncated = Stream.of(1, 8, 9, 14, 32, 36, 40, 45, whole.length() - 1)
                .map(end -> malformed(whole.substring(0, end), "unexpected end at line 1, column " + (end + 1)));
        byte[] latin = whole.getBytes(ISO_8859_1);
        return Stream.concat(
                truncated,
                Stream.of(
                        push("", "the request has no body"),
                        malformed(" ", "unexpected end at line 1, column 2"),
                        malformed(
                                "{'topic':'t'}",
                                "unexpected character (''' (code 39)): was expecting either valid name character (for"
                                        + " unquoted name) or double-quote (for quoted) to start field name at line 1,"
                                        + " column 2"),
                        malformed("{\"topic\":\"t\"}}", "unexpected close marker '}' at line 1, column 14"),
                        malformed("{\"topic\":\"t\"} {}", "expected the end at line 1, column 15"),
                        malformed("[1]", "expected an object at line 1, column 1"),
                        malformed("\"t\"", "expected an object at line 1, column 1"),
                        malformed(
                                "{\"topic\":tru}",
                                "unrecognized token 'tru': was expecting (JSON String, Number, "
                                        + "Array, Object or token 'null', 'true' or 'false') at line 1, column 10"),
                        malformed("{\"topic\":\"t\",\"body\":" + "[".repeat(1000), "nested deeper than 500"),
                        push(
                                "bom",
                                ("\uFEFF" + whole).getBytes(UTF_8),
                                "malformed JSON: unexpected character ('\uFEFF' (code 65279 / 0xfeff)) at line 1,"
                                        + " column 1"),
                        push("latin-1", latin, "the body is not UTF-8 at byte " + (whole.indexOf('\u00e9') + 1)),
                        push(
                                "utf-16",
                                "{}".getBytes(UTF_16LE),
                                "malformed JSON: illegal character ((CTRL-CHAR, code 0)) at line 1, column 3")));
    }

    private static Stream<BadRequest> wrongTypes() {
        List<BadRequest> bad = new ArrayList<>();
        for (String value : List.of("7", "true", "[]", "{}")) {
            for (String field : List.of("subtopic", "bizKey", "buckedName")) {
                bad.add(field(field, value, field + " must be a string"));
            }
            bad.add(push("{\"topic\":" + value + "}", "topic must be a string"));
        }
        for (String value : List.of("1.5", "1e3", "true", "[]", "{}")) {
            bad.add(push("{\"topic\":\"t\",\"id\":" + value + "}", "id must be a string or an integer"));
        }
        bad.add(push("{\"topic\":\"t\",\"id\":" + "9".repeat(129) + "}", "id is longer than 128 characters"));
        Map<String, String> units = Map.of(
                "delay", " (milliseconds)",
                "triggerAt", " (epoch milliseconds)",
                "createTime", " (epoch milliseconds)",
                "ttl", " (seconds)",
                "priority", "",
                "status", "");
        units.forEach((field, unit) -> {
            for (String value : List.of("true", "[5]", "{}", "1.5")) {
                bad.add(field(field, value, field + " must be an integer" + unit));
            }
        });
        Map<String, String> texts = Map.of(
                "delay",
                NO_DURATION,
                "triggerAt",
                NO_TIME,
                "createTime",
                NO_TIME,
                "ttl",
                NO_DURATION.replace("milliseconds", "seconds"),
                "priority",
                " must be an integer",
                "status",
                " must be an integer");
        texts.forEach((field, refusal) -> {
            for (String value : List.of("\"five\"", "\"\"", "\"5.0\"", "\"1e3\"", "\" 5\"")) {
                bad.add(field(field, value, field + refusal));
            }
        });
        bad.add(field("replace", "1", "replace must be true or false"));
        bad.add(field("replace", "\"true\"", "replace must be true or false"));
        return bad.stream();
    }

    private static Stream<BadRequest> outOfRange() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                push("{}", "topic is required"),
                push("{\"topic\":null}", "topic is required"),
                push("{\"topic\":\"\"}", "topic is required"),
                field("ttl", "2147483648", "ttl must not be greater than 2147483647"),
                field("priority", "10", "priority must not be greater than 9"),
                field("status", "3", "status must be 0 or 5"),
                field("delay", "0,\"triggerAt\":1700000000000", "delay and triggerAt exclude each other"),
                field(
                        "createTime",
                        "978307200000,\"delay\":" + MAX_TIME,
                        "createTime + delay must not be greater than " + MAX_TIME),
                field("delay", MAX_TIME + "", "createTime + delay must not be greater than " + MAX_TIME),
                field("delay", "1,\"delay\":1", "delay is given twice"),
                field("delya", "1", "unknown field delya; did you mean delay?"),
                field(
                        "nothing",
                        "1",
                        "unknown field nothing; known are id, topic, subtopic, bizKey, body, bodyBase64,"
                                + " delay, triggerAt, createTime, ttl, priority, status, replace, idempotencyKey,"
                                + " headers, retry, ttr, target, wait, buckedName")));
        String key = "idempotencyKey must be 1 to 64 characters of printable ASCII without spaces";
        bad.add(field("idempotencyKey", "\"\"", key));
        bad.add(field("idempotencyKey", "\"a b\"", key));
        bad.add(field("idempotencyKey", "\"" + "k".repeat(65) + "\"", key));
        bad.add(field(
                "idempotencyKey",
                "\"k\"",
                "idempotencyKey needs replace and id; without replace, the id alone makes a repeated push safe"));
        bad.add(field("wait", "60001", "wait must not be greater than 60000"));
        bad.add(field("wait", "-1", "wait must not be negative"));
        bad.add(field("wait", "\"61s\"", "wait must be from 0s to 1m"));
        bad.add(field("wait", "1,\"wait\":1", "wait is given twice"));
        for (String value : List.of("\"soon\"", "\"\"", "true", "[]", "{}")) {
            bad.add(field("wait", value, "wait" + NO_DURATION));
        }
        for (String field : List.of("delay", "triggerAt", "createTime")) {
            bad.add(field(field, "-1", field + " must not be negative"));
            bad.add(field(field, Long.MIN_VALUE + "", field + " must not be negative"));
            bad.add(field(field, Long.MAX_VALUE + "", field + " must not be greater than " + MAX_TIME));
            String beyond = field + " must be an integer between 0 and " + MAX_TIME;
            bad.add(field(field, "9223372036854775808", beyond));
            bad.add(field(field, "\"9223372036854775808\"", beyond));
            bad.add(field(field, "\"-1\"", field + " must not be negative"));
            bad.add(field(field, "1e999999999", beyond));
        }
        for (String field : List.of("triggerAt", "createTime")) {
            String limit = field + " must be epoch milliseconds, not less than 978307200000 (2001-01-01): ";
            bad.add(field(field, "0", limit + "0 is no time, leave the field out instead"));
            for (String seconds : List.of("1", "1700000000", "978307199999")) {
                bad.add(field(field, seconds, limit + seconds + " looks like seconds"));
                bad.add(field(field, "\"" + seconds + "\"", limit + seconds + " looks like seconds"));
            }
        }
        return bad.stream();
    }

    private static Stream<BadRequest> badText() {
        Map<String, Integer> limits = Map.of("id", 128, "topic", 128, "subtopic", 250, "bizKey", 128);
        List<BadRequest> bad = new ArrayList<>();
        limits.forEach((field, limit) -> {
            String others = field.equals("topic") ? "" : "\"topic\":\"t\",";
            Map.of(
                            "x".repeat(limit + 1),
                            "is longer than " + limit + " characters",
                            EMOJI.repeat(limit / 2) + "xx",
                            "is longer than " + limit + " characters",
                            "a\\u0000b",
                            "contains a control character",
                            "\\u0000",
                            "contains a control character",
                            EMOJI + "\\n",
                            "contains a control character",
                            "\\ud83d",
                            "contains an unpaired surrogate",
                            "x ",
                            "begins or ends with white space",
                            " ",
                            "is blank")
                    .forEach((text, complaint) -> bad.add(
                            push("{" + others + "\"" + field + "\":\"" + text + "\"}", field + " " + complaint)));
        });
        bad.add(field("body", "\"\\ude00\"", "body contains an unpaired surrogate"));
        bad.add(malformed(
                "{\"topic\":\"a\u0000\"}", "illegal unquoted character ((CTRL-CHAR, code 0)) at line 1, column 12"));
        return bad.stream();
    }

    private static Stream<BadRequest> batches() {
        String item = "{\"topic\":\"t\",\"id\":\"half\"}";
        return Stream.of(
                batch("empty", "", "the request has no body"),
                batch("object", item, "malformed JSON: expected an array at line 1, column 1"),
                batch("cut", "[" + item + ",", "malformed JSON: unexpected end at line 1, column 28"),
                batch("garbage", "[" + item + "]]", "malformed JSON: unexpected close marker ']' at line 1, column 28"),
                batch(
                        "broken behind a refused item",
                        "[" + item + ",{\"nope\":{\"a\":[1,}}]",
                        "malformed JSON: unexpected character ('}' (code 125)) at line 1, column 44"),
                batch("1001 items", "[" + (item + ",").repeat(1000) + item + "]", "a batch has at most 1000 items"),
                batch(
                        "too large",
                        "[" + " ".repeat(16 * MIB) + "]",
                        413,
                        "TOO_LARGE",
                        "the request's body is larger than 16777216 bytes"));
    }

    private static Stream<BadRequest> conflicts() {
        String other = "message known exists with other content; send replace to change it";
        String otherTopic =
                "message known is a message of topic t; all topics share one space of ids, and no push moves a message"
                        + " to another topic: choose an id that begins with the topic or the purpose, such as u-known";
        String onOther = KNOWN.replace("\"t\"", "\"u\"");
        return Stream.of(
                conflict(KNOWN.replace("\"b\"", "\"c\""), other),
                conflict(KNOWN.replace("3600000", "3600001"), other),
                conflict(onOther, otherTopic),
                conflict(onOther.replace("{", "{\"replace\":true,"), otherTopic));
    }

    private static BadRequest conflict(String body, String message) {
        return new BadRequest(body, "POST", "/push", BodyPublishers.ofString(body), 409, "ID_CONFLICT", message);
    }

    private static Stream<BadRequest> paths() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                call("GET", "/nothing", 404, "NOT_FOUND", "there is nothing at this path"),
                call("POST", "/", 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"),
                call("POST", "/push/", 404, "NOT_FOUND", "there is nothing at this path; did you mean /push?"),
                call("GET", "/push", 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"),
                call("PUT", "/push/batch", 405, "METHOD_NOT_ALLOWED", "PUT is not allowed here, only POST"),
                call(
                        "PATCH",
                        "/delete?jobId=known",
                        405,
                        "METHOD_NOT_ALLOWED",
                        "PATCH is not allowed here, only GET, POST, DELETE"),
                call("DELETE", "/clearAll", 405, "METHOD_NOT_ALLOWED", "DELETE is not allowed here, only GET, POST"),
                call("DELETE", "/job/known", 405, "METHOD_NOT_ALLOWED", "DELETE is not allowed here, only GET, HEAD"),
                call("GET", "/delete", "jobId or bizKey is required"),
                call("GET", "/delete?jobId=", "jobId is required"),
                call("GET", "/delete?jobId=known&id=other", "jobId is given twice, with different values"),
                call("GET", "/delete?jobId=known%20", "jobId begins or ends with white space"),
                call("GET", "/delete?jobId=known%00", "jobId contains a control character"),
                call("GET", "/delete?jobId=" + "x".repeat(129), "jobId is longer than 128 characters"),
                call("GET", "/job/", "id is required"),
                call("GET", "/job/" + "x".repeat(129), "id is longer than 128 characters"),
                call("GET", "/restore/a%00", "id contains a control character"),
                call("GET", "/reStore?expire=maybe", "expire must be true or false"),
                call("GET", "/reStoreJob", "jobId is required")));
        for (String path : List.of("/job/who", "/delete?jobId=who", "/reStoreJob?JobId=who", "/restore/who")) {
            bad.add(call("GET", path, 404, "NOT_FOUND", "message who is not known"));
        }
        bad.add(call("GET", "/job/%F0%9F%98%80", 404, "NOT_FOUND", "message " + EMOJI + " is not known"));
        return bad.stream();
    }
}
