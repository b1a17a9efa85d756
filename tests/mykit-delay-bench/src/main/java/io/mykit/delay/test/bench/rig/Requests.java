package io.mykit.delay.test.bench.rig;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests ready to be written. */
public final class Requests {
    /** The body of every message: 100 bytes. */
    public static final String BODY = "0123456789".repeat(10);

    private Requests() {}

    public static ByteBuffer push(String item) {
        return post("/push", item);
    }

    /** The same of a caller with a token. */
    public static ByteBuffer push(String item, String token) {
        return post("/push", "authorization: Bearer " + token + "\r\n", item);
    }

    /** A batch of items, each made from its index. */
    public static ByteBuffer batch(int size, IntFunction<String> item) {
        return post("/push/batch", IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(",", "[", "]")));
    }

    /**
     * A request of a consumer.
     *
     * @param count the maximum of messages
     * @param wait how long it waits for the first one
     * @param ttr the length of the hold
     */
    static ByteBuffer pull(String topic, int count, Duration wait, Duration ttr) {
        return post(
                "/pull",
                "{\"topic\":\"" + topic + "\",\"count\":" + count + ",\"wait\":" + wait.toMillis() + ",\"ttr\":"
                        + ttr.toMillis() + "}");
    }

    /** Finishes messages that a consumer pulled. */
    static ByteBuffer ack(List<PulledItem> items) {
        if (items.size() == 1) {
            return post("/ack", items.get(0).settlement());
        }
        return post(
                "/ack",
                items.stream().map(PulledItem::settlement).collect(Collectors.joining(",", "{\"items\":[", "]}")));
    }

    /** The publish of a job by lmstfy's API. */
    public static ByteBuffer publish(String path, long delaySeconds) {
        return ByteBuffer.wrap(("PUT " + path + "?ttl=0&delay=" + delaySeconds
                        + " HTTP/1.1\r\nhost: localhost\r\ncontent-length: " + BODY.length() + "\r\n\r\n" + BODY)
                .getBytes(US_ASCII));
    }

    /** The consume of jobs by lmstfy's API. */
    static ByteBuffer consume(String path, int count, Duration timeout, Duration ttr) {
        return ByteBuffer.wrap(("GET " + path + "?count=" + count + "&timeout=" + timeout.toSeconds() + "&ttr="
                        + ttr.toSeconds() + " HTTP/1.1\r\nhost: localhost\r\n\r\n")
                .getBytes(US_ASCII));
    }

    /** The ack of a job by lmstfy's API, which knows no ack of several. */
    static ByteBuffer ack(String path, String jobId) {
        return ByteBuffer.wrap(
                ("DELETE " + path + "/job/" + jobId + " HTTP/1.1\r\nhost: localhost\r\n\r\n").getBytes(US_ASCII));
    }

    /** A message with an id, and with a due time in epoch milliseconds. */
    public static String named(String topic, String id, long dueMs) {
        return "{\"topic\":\"" + topic + "\",\"id\":\"" + id + "\",\"triggerAt\":" + dueMs + ",\"body\":\"" + BODY
                + "\"}";
    }

    /** A message with a delay in milliseconds. */
    public static String delayed(String topic, long delayMs) {
        return item(topic, "delay", delayMs);
    }

    /** A message with a due time in epoch milliseconds. */
    public static String due(String topic, long dueMs) {
        return item(topic, "triggerAt", dueMs);
    }

    private static String item(String topic, String when, long millis) {
        return "{\"topic\":\"" + topic + "\",\"" + when + "\":" + millis + ",\"body\":\"" + BODY + "\"}";
    }

    /** As a browser asks. */
    static ByteBuffer get(String path) {
        return ByteBuffer.wrap(
                ("GET " + path + " HTTP/1.1\r\nhost: localhost\r\naccept-encoding: gzip\r\n\r\n").getBytes(US_ASCII));
    }

    private static ByteBuffer post(String path, String json) {
        return post(path, "", json);
    }

    /** @param headers further ones, each with its end of line */
    private static ByteBuffer post(String path, String headers, String json) {
        String head = "POST " + path + " HTTP/1.1\r\nhost: localhost\r\n" + headers
                + "content-type: application/json\r\ncontent-length: " + json.length() + "\r\n\r\n";
        return ByteBuffer.wrap((head + json).getBytes(US_ASCII));
    }
}
