package io.mykit.delay.test.http;

import static io.mykit.delay.test.http.BadRequest.call;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Faulty parameters of each call: unknown, given twice, of a bad value, without effect. */
final class BadParameters {
    private static final String IDS = "known are jobId, JobId, id";
    private static final String RESTORE = "known are expire, topic, dryRun, stop, resume";
    private static final String CLEAR = "known are topic, dryRun, stop";
    private static final String NONE = "this call has no parameters, its fields stand in the JSON body";

    private BadParameters() {}

    static Stream<BadRequest> all() {
        return Stream.of(ofMessages(), ofKeys(), ofRestore(), ofClear(), bodies())
                .flatMap(List::stream);
    }

    private static List<BadRequest> ofMessages() {
        List<BadRequest> bad = new ArrayList<>();
        for (String path : List.of("/push", "/push/batch")) {
            bad.add(call("POST", path + "?replace=true", "unknown parameter replace; " + NONE));
            bad.add(call("POST", path + "?topic=t&dryRun=true", "unknown parameter topic; " + NONE));
        }
        for (String path : List.of("/delete", "/reStoreJob")) {
            String ids = path.equals("/delete") ? IDS + ", topic, bizKey" : IDS;
            for (String id : List.of("jobId", "JobId", "id")) {
                String known = path + "?" + id + "=known";
                bad.add(call("POST", known + "&expire=true", "unknown parameter expire; " + ids));
                bad.add(call("GET", known + "&" + id + "=known", id + " is given twice"));
                bad.add(call("GET", known + "&" + id + "=a", id + " is given twice, with different values"));
                bad.add(call("GET", path + "?" + id + "=", "jobId is required"));
                bad.add(call("GET", path + "?" + id + "=" + "x".repeat(129), "jobId is longer than 128 characters"));
            }
            bad.add(call("GET", path + "?jobid=known", "unknown parameter jobid; did you mean jobId? " + ids));
            bad.add(call("GET", path + "?JobId=known&id=a", "jobId is given twice, with different values"));
        }
        for (String path : List.of("/job/known", "/reStore/known", "/restore/known")) {
            String known = path.startsWith("/job") ? IDS + ", wait, body, unmask" : IDS;
            bad.add(call("GET", path + "?topic=t", "unknown parameter topic; " + known));
            bad.add(call("GET", path + "?id=a", "jobId and the id in the path have different values"));
        }
        for (String wait : List.of("61s", "60001", "-1")) {
            bad.add(call("GET", "/job/known?wait=" + wait, "wait must be from 0s to 1m"));
        }
        for (String wait : List.of("soon", "", "5x", "1.5")) {
            bad.add(call("GET", "/job/known?wait=" + wait, "wait" + BadRequests.NO_DURATION));
        }
        bad.add(call("GET", "/job/known?wait=1s&wait=1s", "wait is given twice"));
        bad.add(call("GET", "/job/who?wait=10s", 404, "NOT_FOUND", "message who is not known"));
        bad.add(call("POST", "/push?wait=1s", "unknown parameter wait; " + NONE));
        bad.add(call("POST", "/push/batch?wait=1s", "unknown parameter wait; " + NONE));
        return bad;
    }

    private static List<BadRequest> ofKeys() {
        List<BadRequest> bad = new ArrayList<>();
        String path = "/delete?";
        String needsTopic = "bizKey needs topic: other topics may have messages with the same key";
        String needsKey = "topic goes with bizKey; without bizKey leave it out";
        bad.add(call("DELETE", path + "bizKey=k", needsTopic));
        bad.add(call("POST", path + "topic=t", needsKey));
        bad.add(call("POST", path + "topic=t&jobId=known", needsKey));
        for (String id : List.of("jobId", "JobId", "id")) {
            bad.add(call("POST", path + id + "=known&bizKey=k", "jobId and bizKey exclude each other"));
            bad.add(call("POST", path + id + "=&topic=t&bizKey=k", "jobId and bizKey exclude each other"));
        }
        for (String name : List.of("topic", "bizKey")) {
            String other = name.equals("topic") ? "&bizKey=k" : "&topic=t";
            bad.add(call("POST", path + name + "=" + other, name + " is empty"));
            bad.add(call("POST", path + name + "=%20" + other, name + " is blank"));
            bad.add(call("POST", path + name + "=t%00" + other, name + " contains a control character"));
            bad.add(call("POST", path + name + "=" + "x".repeat(129) + other, name + " is longer than 128 characters"));
            bad.add(call(
                    "POST",
                    path + name + "=a&" + name + "=b" + other,
                    name + " is given twice, with different values"));
        }
        bad.add(call(
                "POST",
                path + "topic=t&bizkey=k",
                "unknown parameter bizkey; did you mean bizKey? " + IDS + ", topic, bizKey"));
        return bad;
    }

    private static List<BadRequest> ofRestore() {
        List<BadRequest> bad = new ArrayList<>();
        String path = "/reStore";
        bad.add(call("GET", path + "?exprie=true", "unknown parameter exprie; did you mean expire? " + RESTORE));
        bad.add(call("POST", path + "?jobId=known", "unknown parameter jobId; " + RESTORE));
        bad.add(call("POST", "/restore?dryrun=true", "unknown parameter dryrun; did you mean dryRun? " + RESTORE));
        bad.addAll(flags(path, "expire", "dryRun", "stop", "resume"));
        bad.addAll(topics(path));
        bad.add(call("GET", path + "?stop=true&resume=true", "stop=true goes alone; leave out resume"));
        return bad;
    }

    private static List<BadRequest> ofClear() {
        List<BadRequest> bad = new ArrayList<>();
        String path = "/clearAll";
        for (String name : List.of("dryrun", "dryRn", "DryRun")) {
            bad.add(call(
                    "GET",
                    path + "?" + name + "=true",
                    "unknown parameter " + name + "; did you mean dryRun? " + CLEAR));
        }
        bad.add(call("POST", path + "?resume=true", "unknown parameter resume; " + CLEAR));
        bad.add(call("POST", path + "?expire=true", "unknown parameter expire; " + CLEAR));
        bad.addAll(flags(path, "dryRun", "stop"));
        bad.addAll(topics(path));
        bad.add(call("GET", path + "?topic=t&stop=true", "stop=true goes alone; leave out topic"));
        return bad;
    }

    private static List<BadRequest> flags(String path, String... names) {
        List<BadRequest> bad = new ArrayList<>();
        for (String name : names) {
            for (String value : List.of("maybe", "", "1")) {
                bad.add(call("GET", path + "?" + name + "=" + value, name + " must be true or false"));
            }
            bad.add(call("GET", path + "?" + name + "=true&" + name + "=true", name + " is given twice"));
            bad.add(call(
                    "GET",
                    path + "?" + name + "=true&" + name + "=false",
                    name + " is given twice, with different values"));
        }
        return bad;
    }

    private static List<BadRequest> topics(String path) {
        return List.of(
                call("GET", path + "?topic=", "topic is empty; leave it out for all topics"),
                call("GET", path + "?topic=%20", "topic is blank"),
                call("GET", path + "?topic=t%20", "topic begins or ends with white space"),
                call("GET", path + "?topic=t%00", "topic contains a control character"),
                call("GET", path + "?topic=" + "x".repeat(129), "topic is longer than 128 characters"),
                call("GET", path + "?topic=t&topic=u", "topic is given twice, with different values"));
    }

    /** JSON is as strict as a query. */
    private static List<BadRequest> bodies() {
        List<BadRequest> bad = new ArrayList<>();
        Map<String, String> known = Map.of(
                "/clearAll", "did you mean dryRun? " + CLEAR,
                "/reStore", "did you mean dryRun? " + RESTORE,
                "/reStoreJob", IDS,
                "/delete", IDS + ", topic, bizKey");
        known.forEach((path, hint) -> {
            String body = "{\"dryrun\":true}";
            bad.add(new BadRequest(
                    path + " " + body,
                    "POST",
                    path,
                    BodyPublishers.ofByteArray(body.getBytes(UTF_8)),
                    400,
                    "INVALID_REQUEST",
                    "unknown parameter dryrun; " + hint));
        });
        return bad;
    }
}
