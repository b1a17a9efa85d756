package io.mykit.delay.test.trace;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.server.DelayServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Calls a server with trace headers. */
record TracedClient(DelayServer server) {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final HexFormat HEX = HexFormat.of();

    /** A new context: 00, trace, span and flags. */
    static String parent(boolean sampled) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "00-" + HEX.toHexDigits(random.nextLong()) + HEX.toHexDigits(random.nextLong() | 1) + "-"
                + HEX.toHexDigits(random.nextLong() | 1) + (sampled ? "-01" : "-00");
    }

    static String traceId(String parent) {
        return parent.substring(3, 35);
    }

    static String spanId(String parent) {
        return parent.substring(36, 52);
    }

    /** Trace and span. */
    static String context(String parent) {
        return parent.substring(3, 52);
    }

    /** @param headers names and values in turn */
    Answer post(String path, Object body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString(JSON.toJSONString(body)));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
