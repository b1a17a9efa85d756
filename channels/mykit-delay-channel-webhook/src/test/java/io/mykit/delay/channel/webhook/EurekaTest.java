package io.mykit.delay.channel.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.channel.hosts.HttpLink;
import io.mykit.delay.channel.hosts.Lookups;
import io.mykit.delay.channel.hosts.Protocol;
import io.mykit.delay.channel.hosts.RegistryCalls;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.hosts.service.EurekaEndpoints;
import io.mykit.delay.channel.tls.Certificates;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eureka's REST interface, as a server of the test answers it over real sockets. */
class EurekaTest {
    private static final String INSTANCE = """
            {"instanceId":"%1$s","hostName":"%1$s","app":"SHOP","ipAddr":"10.0.0.9","status":"%2$s","overriddenStatus":"UNKNOWN",
             "port":{"$":8080,"@enabled":"%3$s"},"securePort":{"$":8443,"@enabled":"%4$s"},"metadata":{"@class":"x"}}
            """;

    private final HttpLink link =
            new HttpLink(Duration.ofSeconds(2), 4, new Certificates(Optional.empty(), Optional.empty()), Protocol.HTTP);
    private final Lookups lookups = new Lookups(HostResolver.OF_JVM, Duration.ofSeconds(2));
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        lookups.close();
        link.close();
    }

    @Test
    void theInstancesThatAreUpAreFoundAtTheirEnabledPort() throws Exception {
        String body = application("["
                + String.join(
                        ",",
                        instance("10.0.0.1", "UP", "true", "false"),
                        instance("b.internal", "UP", "true", "true"),
                        instance("c.internal", "DOWN", "true", "false"),
                        instance("d.internal", "OUT_OF_SERVICE", "true", "false"),
                        instance("e.internal", "STARTING", "true", "false"),
                        instance("f.internal", "UP", "false", "false"),
                        instance("not_a_host", "UP", "true", "false"))
                + ",7,null,{},{\"status\":\"UP\"}]");
        try (TestReceiver eureka = answering(200, body)) {
            assertThat(find(base(eureka) + "eureka/"))
                    .containsExactly(
                            Destination.of(Schemes.HTTP, false, "10.0.0.1", 8080),
                            Destination.of(Schemes.HTTP, true, "b.internal", 8443),
                            Destination.of(Schemes.HTTP, false, "10.0.0.9", 8080));
            TestReceiver.Got got = eureka.requests().get(0);
            assertThat(got.uri()).isEqualTo("/eureka/apps/SHOP-API");
            assertThat(got.header("accept")).isEqualTo("application/json");
            assertThat(got.header("authorization")).isNull();
        }
    }

    @Test
    void aSingleInstanceNeedsNoArrayAndPortsMayBeOtherTypes() throws Exception {
        String body = application("{\"hostName\":\"a\",\"status\":\"UP\",\"port\":{\"$\":\"8080\",\"@enabled\":true}}");
        try (TestReceiver eureka = answering(200, body)) {
            assertThat(find(base(eureka))).containsExactly(Destination.of(Schemes.HTTP, false, "a", 8080));
        }
    }

    @Test
    void anAccountInTheUrlIsAHeader() throws Exception {
        try (TestReceiver eureka = answering(200, application("[]"))) {
            find(base(eureka).replace("http://", "http://user:p%40ss+@"));
            assertThat(eureka.requests().get(0).header("authorization")).isEqualTo("Basic dXNlcjpwQHNzKw==");
        }
    }

    @Test
    void anUnknownApplicationHasNoInstances() throws Exception {
        try (TestReceiver eureka = TestReceiver.answering(404)) {
            assertThat(find(base(eureka))).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "<application><name>SHOP</name></application>",
                "{}",
                "[]",
                "7",
                "{\"application\":7}",
                "{\"application\":null}",
                "{\"application\":{\"instance\":[",
            })
    void anAnswerOfAnotherFormIsNoAnswer(String body) {
        try (TestReceiver eureka = answering(200, body)) {
            assertThatThrownBy(() -> find(base(eureka))).hasMessageContaining("Eureka at http://127.0.0.1:");
        }
    }

    @Test
    void anErrorIsNoAnswerAndShowsNoAccount() {
        try (TestReceiver eureka = TestReceiver.answering(500)) {
            assertThatThrownBy(() -> find(base(eureka).replace("http://", "http://user:hush-hush@")))
                    .hasMessageContaining("HTTP 500")
                    .hasMessageNotContaining("hush-hush")
                    .hasMessageNotContaining("user");
        }
        try (TestReceiver moved = TestReceiver.answering(302, "location", "http://127.0.0.1:1/")) {
            assertThatThrownBy(() -> find(base(moved))).hasMessageContaining("HTTP 302");
        }
    }

    @Test
    void anAnswerThatIsTooLongOrNeverEndsIsNoAnswer() {
        byte[] blanks = new byte[64 * 1024];
        try (TestReceiver huge = new TestReceiver(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream body = exchange.getResponseBody()) {
                for (int i = 0; i < 100; i++) {
                    body.write(blanks);
                }
            }
        })) {
            assertThatThrownBy(() -> find(base(huge))).hasMessageContaining("longer than");
        }
        try (TestReceiver endless = new TestReceiver(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            awaitQuietly(end);
        })) {
            assertThatThrownBy(() -> find(base(endless))).hasMessageContaining("Timeout");
            end.countDown();
        }
    }

    @Test
    void theNextServerIsAskedIfOneGivesNoAnswer() throws Exception {
        try (TestReceiver ill = TestReceiver.answering(503);
                TestReceiver well = answering(200, application("[" + instance("a", "UP", "true", "false") + "]"))) {
            assertThat(find("http://127.0.0.1:1/eureka," + base(ill) + ", " + base(well)))
                    .containsExactly(Destination.of(Schemes.HTTP, false, "a", 8080));
            assertThat(ill.requests()).hasSize(1);
        }
    }

    private List<Destination> find(String urls) throws Exception {
        return EurekaEndpoints.of(urls, new RegistryCalls(link, lookups), Schemes.HTTP)
                .find("shop-api")
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)
                .instances();
    }

    private static String instance(String host, String status, String port, String securePort) {
        return INSTANCE.formatted(host, status, port, securePort);
    }

    private static String application(String instances) {
        return "{\"application\":{\"name\":\"SHOP\",\"instance\":" + instances + "}}";
    }

    private static String base(TestReceiver eureka) {
        return "http://127.0.0.1:" + eureka.port() + "/";
    }

    private static TestReceiver answering(int status, String body) {
        return new TestReceiver(exchange -> write(exchange, status, body.getBytes(StandardCharsets.UTF_8)));
    }

    private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
