package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The example with Spring Boot, as its packaged jar, with a packaged server on its embedded default. */
@Tag("long")
class SpringExampleIT {
    private static final Path JAR = Path.of(System.getProperty("mykit.delay.repo", ".."))
            .resolve("examples/example-spring-boot/target/example-spring-boot-1.0-app.jar");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port = FreePorts.next();
    private DelayServer server;
    private Process shop;

    @BeforeEach
    void start() throws IOException {
        server = DelayServer.start(
                "server",
                dir.resolve("server"),
                Map.of("activemq.embedded-port", Integer.toString(FreePorts.next()), "delivery.topics.orders", "pull"));
        shop = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-jar",
                        JAR.toString(),
                        "--server.port=" + port,
                        "--mykit.delay.client.endpoints=" + server.url(),
                        "--shop.pay-within=6s")
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve("shop.log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(90)).ignoreExceptions().until(() -> get("/actuator/health")
                .contains("\"mykitDelay\":{\"status\":\"UP\""));
    }

    @AfterEach
    void stop() {
        if (shop != null) {
            shop.destroyForcibly();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void anOrderThatIsNotPaidExpires() throws Exception {
        String id = post("/orders/4711");
        post("/orders/4712");
        assertThat(post("/orders/4712/payment")).isEqualTo("PAID");

        await().atMost(Duration.ofSeconds(30)).until(() -> get("/orders/4711").equals("EXPIRED"));
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                        server.client().job(id).dataObject().getString("statusName"))
                .isEqualTo("FINISH"));
        assertThat(get("/orders/4712")).isEqualTo("PAID");

        shop.destroy();
        assertThat(shop.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    private String get(String path) throws IOException, InterruptedException {
        return send(request(path).build());
    }

    private String post(String path) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.noBody()).build());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
