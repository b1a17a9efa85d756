package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.http.Stores.Footprint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with little memory survives hostile clients, and serves the others without a change. */
@Tag("long")
class HostileClientsIT {
    /** Pushes that may wait to be stored. */
    private static final int QUEUE = 50;

    private static final Duration USUAL = Duration.ofSeconds(10);

    private static HttpFixture fixture;

    @BeforeAll
    static void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path dir) {
        fixture = new HttpFixture(
                "hostile",
                dir,
                Map.of("intake.queue-limit", Integer.toString(QUEUE), "intake.batch-limit", "5"),
                "-Xmx96m -XX:MaxDirectMemorySize=48m -XX:+ExitOnOutOfMemoryError");
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void othersAreServedBesideAllKindsOfBurden() throws IOException {
        servesOthers("before");
        try (HostileClients hostile = new HostileClients(fixture.server().port())) {
            hostile.idle(2_000);
            hostile.slowBodies(200);
            hostile.halfClosed(200);
            servesOthers("beside-2400");
            hostile.neverReading(10);
            await().atMost(Duration.ofMinutes(1))
                    .pollDelay(Duration.ofSeconds(3))
                    .untilAsserted(() -> servesOthers("beside-all"));
        }
        servesOthers("after");
    }

    @Test
    void aFloodIsToldToComeAgainAndWhatWasTakenIsKept() {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        Map<Integer, Integer> statuses = new HashMap<>();
        TreeSet<String> accepted = new TreeSet<>();
        await().atMost(Duration.ofSeconds(15)).until(() -> {
            String wave = "flood-" + statuses.values().stream().mapToInt(n -> n).sum();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 8 * QUEUE; i++) {
                answers.add(http.sendAsync(push(wave + "-" + i), BodyHandlers.ofString()));
            }
            assertThat(fixture.client().get("/health/live").status()).isEqualTo(200);
            for (int i = 0; i < answers.size(); i++) {
                HttpResponse<String> answer = answers.get(i).join();
                statuses.merge(answer.statusCode(), 1, Integer::sum);
                if (answer.statusCode() == 200) {
                    accepted.add(wave + "-" + i);
                } else {
                    assertThat(answer.headers().firstValue("retry-after")).isPresent();
                }
            }
            return statuses.containsKey(429);
        });
        assertThat(statuses).containsOnlyKeys(200, 429);
        assertThat(accepted)
                .isNotEmpty()
                .allSatisfy(id -> assertThat(fixture.client().job(id).status()).isEqualTo(200));
        servesOthers("after-flood");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /health/live\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                "\u0000\u0000\u0000\u0000",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\n{\"topic\":\"t\"}",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{\"topic\":\"t\"}",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked, gzip\r\n\r\n{\"topic\":\"t\"}",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\nGET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: cow\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: elsewhere\r\n\r\n",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length : 13\r\n\r\n{\"topic\":\"t\"}",
                "POST /push HTTP/1.1\r\nHost: 127.0.0.1\r\nX\u0000Y: 1\r\nContent-Length: 13\r\n\r\n{\"topic\":\"t\"}",
                "POST /pu\u0000sh HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{\"topic\":\"t\"}",
                "POST /push%00 HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{\"topic\":\"t\"}",
                "POST /push/../push%2f HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{\"topic\":\"t\"}",
                "POST /push HTTP/9.9\r\nHost: x\r\nContent-Length: 13\r\n\r\n{\"topic\":\"t\"}",
            })
    void nonsenseIsRefusedOrEndsAndChangesNothing(String bytes) throws IOException {
        Footprint before = fixture.stores().footprint();
        try (HostileClients hostile = new HostileClients(fixture.server().port())) {
            assertThat(hostile.speak(bytes.getBytes(ISO_8859_1))).doesNotContain(" 200 ");
        }
        assertThat(fixture.stores().footprint()).isEqualTo(before);
        assertThat(fixture.client().get("/health/live").status()).isEqualTo(200);
    }

    /** As other clients see it. */
    private static void servesOthers(String round) {
        DelayClient client = new DelayClient(fixture.server().port(), USUAL);
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            Answer answer = client.push(Map.of("topic", "t", "id", round + System.nanoTime(), "delay", 3_600_000));
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(client.get("/health/live").status()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).as(round).isLessThan(USUAL);
        }
        assertThat(fixture.server().isAlive()).isTrue();
    }

    private static HttpRequest push(String id) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + fixture.server().port() + "/push"))
                .timeout(Duration.ofSeconds(20))
                .POST(BodyPublishers.ofString("{\"topic\":\"t\",\"delay\":3600000,\"id\":\"" + id + "\"}"))
                .build();
    }
}
