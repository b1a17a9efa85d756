package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Faulty parameters of the calls that pull and settle messages, and of those that show topics. */
final class BadPulls {

    private BadPulls() {}

    static Stream<BadRequest> all() {
        return Stream.of(pulls(), gets(), settlements(), items(), topics()).flatMap(List::stream);
    }

    private static List<BadRequest> pulls() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                call("GET", "/pull?topic=t", 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"),
                call("POST", "/pull", "topic is required"),
                call("POST", "/pull?topic=t&topic=t", "topic t is given twice"),
                call(
                        "POST",
                        "/pull?topic=t&cuont=1",
                        "unknown parameter cuont; did you mean count? known are topic, count, wait, ttr, consumer"),
                call("POST", "/pull?topic=t&count=0", "count must be between 1 and 100"),
                call("POST", "/pull?topic=t&count=101", "count must be between 1 and 100"),
                call("POST", "/pull?topic=t&count=many", "count must be an integer"),
                call("POST", "/pull?topic=t&count=1&count=1", "count is given twice"),
                json("/pull", "{\"topic\":{}}", "topic must be an array"),
                json("/pull", "{\"topic\":[[]]}", "topic must be a string"),
                json("/pull?topic=t", "{\"count\":1}", "the fields stand in the URL or in the body, not in both")));
        bad.addAll(topic("POST", "/pull?topic="));
        for (String path : List.of("/pull?topic=t", "/get/t?wait=0")) {
            bad.addAll(duration("POST", path + "&ttr=", "ttr", "1s to 1d", "999ms", "25h", "0", "-1"));
        }
        bad.addAll(duration("POST", "/pull?topic=t&wait=", "wait", "0s to 1m", "61s", "60001", "-1"));
        return bad;
    }

    private static List<BadRequest> gets() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                call("GET", "/get/", "topic is empty"),
                call("GET", "/get/" + "x".repeat(129), "topic is longer than 128 characters"),
                call("GET", "/get/t?ack=none", "ack must be auto, or left out"),
                call("GET", "/get/t?topic=u", "unknown parameter topic; known are wait, ttr, ack, consumer"),
                call("DELETE", "/get/t", 405, "METHOD_NOT_ALLOWED", "DELETE is not allowed here, only GET, POST"),
                call("GET", "/finish", "jobId is required"),
                call("GET", "/finish?jobId=known&receipt=", "receipt is empty"),
                call("GET", "/finish?jobId=known&id=other", "jobId is given twice, with different values"),
                call(
                        "GET",
                        "/finish?jobId=known&delay=1",
                        "unknown parameter delay; known are jobId, JobId, id, receipt")));
        bad.addAll(duration("GET", "/get/t?wait=", "wait", "0s to 1m", "61s"));
        return bad;
    }

    private static List<BadRequest> settlements() {
        List<BadRequest> bad = new ArrayList<>();
        for (String path : List.of("/ack", "/nack", "/release", "/extend", "/bury")) {
            String one = path + "?id=known&receipt=r";
            bad.add(call("GET", one, 405, "METHOD_NOT_ALLOWED", "GET is not allowed here, only POST"));
            bad.add(call("POST", path, "receipt is required"));
            bad.add(call("POST", path + "?id=known", "receipt is required"));
            bad.add(call("POST", path + "?id=known&receipt=", "receipt is empty"));
            bad.add(call("POST", path + "?id=known&receipt=%20", "receipt is blank"));
            bad.add(call("POST", path + "?id=known&receipt=" + "r".repeat(65), "receipt is longer than 64 characters"));
            bad.add(call("POST", path + "?receipt=r", "jobId is required"));
            bad.add(call("POST", path + "?receipt=r&id=" + "x".repeat(129), "jobId is longer than 128 characters"));
            bad.add(call("POST", one + "&jobId=other", "jobId is given twice, with different values"));
            bad.add(json(path, "[]", "malformed JSON: expected an object at line 1, column 1"));
            bad.add(json(path, "{\"id\":true,\"receipt\":\"r\"}", "id must be a string or an integer"));
            bad.add(json(path, "{\"id\":\"known\",\"receipt\":1}", "receipt must be a string"));
        }
        for (String path : List.of("/nack", "/release")) {
            bad.addAll(duration(
                    "POST", path + "?id=known&receipt=r&delay=", "delay", "0s to 30d", "31d", "2592000001", "-1"));
        }
        bad.addAll(duration("POST", "/extend?id=known&receipt=r&ttr=", "ttr", "1s to 1d", "999ms", "25h", "0"));
        for (String path : List.of("/nack", "/bury")) {
            String detail = path + "?id=known&receipt=r&detail=";
            bad.add(call("POST", detail + "x".repeat(1001), "detail is longer than 1000 characters"));
            bad.add(call("POST", detail + "a%0Ab", "detail contains a control character"));
        }
        bad.add(call(
                "POST",
                "/ack?id=known&receipt=r&delay=1",
                "unknown parameter delay; known are id, jobId, JobId, receipt, result, resultBase64"));
        String ack = "{\"id\":\"known\",\"receipt\":\"r\",";
        for (String value : List.of("7", "true", "{}", "[]")) {
            bad.add(json("/ack", ack + "\"result\":" + value + "}", "result must be a string"));
            bad.add(json("/ack", ack + "\"resultBase64\":" + value + "}", "resultBase64 must be a string"));
        }
        bad.add(json("/ack", ack + "\"result\":\"\\ud83d\"}", "result contains an unpaired surrogate"));
        bad.add(json("/ack", ack + "\"result\":\"a\",\"result\":\"a\"}", "result is given twice"));
        bad.add(json(
                "/ack", ack + "\"result\":\"\",\"resultBase64\":\"\"}", "result and resultBase64 exclude each other"));
        for (String value : List.of("?", "a b", "AAAAA", "AP-_")) {
            bad.add(json(
                    "/ack",
                    ack + "\"resultBase64\":\"" + value + "\"}",
                    "resultBase64 must be Base64 (RFC 4648, section 4)"));
        }
        String tooMuch = ack + "\"result\":\"" + "x".repeat(65537) + "\"}";
        bad.add(new BadRequest(
                "a large result",
                "POST",
                "/ack",
                BodyPublishers.ofString(tooMuch),
                413,
                "TOO_LARGE",
                "result is larger than 65536 bytes"));
        for (String path : List.of("/nack", "/release", "/extend", "/bury", "/finish")) {
            bad.add(call(
                    "POST",
                    path + "?id=known&receipt=r&result=x",
                    "unknown parameter result; known are "
                            + switch (path) {
                                case "/nack" -> "id, jobId, JobId, receipt, delay, detail";
                                case "/release" -> "id, jobId, JobId, receipt, delay";
                                case "/extend" -> "id, jobId, JobId, receipt, ttr";
                                case "/bury" -> "id, jobId, JobId, receipt, detail";
                                default -> "jobId, JobId, id, receipt";
                            }));
        }
        return bad;
    }

    private static List<BadRequest> items() {
        String item = "{\"id\":\"known\",\"receipt\":\"r\"}";
        return List.of(
                json("/ack", "{\"items\":{}}", "items must be an array"),
                json(
                        "/ack",
                        "{\"items\":[" + item + "],\"id\":\"known\"}",
                        "items goes alone; leave out the other fields"),
                json("/ack?id=known", "{\"items\":[]}", "items goes alone; leave out the other fields"),
                json("/ack", "{\"items\":[" + (item + ",").repeat(1000) + item + "]}", "items has at most 1000 items"),
                json("/ack", "{\"items\":[" + item, "malformed JSON: unexpected end at line 1, column 39"));
    }

    private static List<BadRequest> topics() {
        List<BadRequest> bad = new ArrayList<>(List.of(
                call("POST", "/topics", 405, "METHOD_NOT_ALLOWED", "POST is not allowed here, only GET, HEAD"),
                call("GET", "/topics?topic=t&prefix=t", "topic goes alone; leave out prefix"),
                call(
                        "GET",
                        "/topics?perfix=t",
                        "unknown parameter perfix; did you mean prefix? known are topic, prefix, after, limit, sort, trouble"),
                call("GET", "/topics?limit=0", "limit must be between 1 and 1000"),
                call("GET", "/topics?limit=1001", "limit must be between 1 and 1000"),
                call("GET", "/peek", "topic is required"),
                call("GET", "/peek?topic=t&state=gone", "state must be ready, waiting or taken"),
                call("GET", "/peek?topic=t&limit=0", "limit must be between 1 and 100"),
                call("GET", "/peek?topic=t&limit=101", "limit must be between 1 and 100"),
                call("GET", "/peek?topic=t&body=maybe", "body must be true or false"),
                call("GET", "/peek?topic=t&topic=u", "topic is given twice, with different values")));
        bad.addAll(topic("GET", "/topics?topic="));
        bad.addAll(topic("GET", "/peek?topic="));
        return bad;
    }

    private static List<BadRequest> topic(String method, String path) {
        return List.of(
                call(method, path, "topic is empty"),
                call(method, path + "%20", "topic is blank"),
                call(method, path + "t%00", "topic contains a control character"),
                call(method, path + "x".repeat(129), "topic is longer than 128 characters"));
    }

    private static List<BadRequest> duration(String method, String path, String name, String range, String... outside) {
        List<BadRequest> bad = new ArrayList<>();
        for (String value : outside) {
            bad.add(call(method, path + value, name + " must be from " + range));
        }
        for (String value : List.of("soon", "", "5x", "1.5")) {
            bad.add(call(method, path + value, name + BadRequests.NO_DURATION));
        }
        return bad;
    }

    private static BadRequest json(String path, String body, String message) {
        return new BadRequest(
                path + " " + body, "POST", path, BodyPublishers.ofString(body), 400, "INVALID_REQUEST", message);
    }
}
