package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.busy;
import static io.mykit.delay.client.StubServer.half;
import static io.mykit.delay.client.StubServer.lost;
import static io.mykit.delay.client.StubServer.ok;
import static io.mykit.delay.client.StubServer.raw;
import static io.mykit.delay.client.StubServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RetriesTest {
    private final StubServer server = StubServer.accepting();
    private final DelayClient client = clientOf(server.url());
    private final Message message = Message.builder("orders")
            .body("order 4711")
            .delay(Duration.ofMinutes(30))
            .build();

    @AfterEach
    void close() {
        server.close();
    }

    static Stream<StubServer.Reply> temporary() {
        return Stream.of(
                lost(),
                half(),
                busy("0"),
                refused(503, "STORE_UNAVAILABLE"),
                refused(503, "OUTCOME_UNKNOWN"),
                raw(200, "<html>a captive portal</html>"),
                raw(200, "{\"success\":true"),
                raw(200, "[]"),
                raw(200, ""),
                raw(502, "bad gateway"),
                raw(503, "{\"message\":\"no healthy upstream\"}"),
                raw(504, ""));
    }

    @ParameterizedTest
    @MethodSource("temporary")
    void aPushIsTriedAgainWithTheSameId(StubServer.Reply reply) {
        server.then(reply, reply);

        assertThat(client.push(message)).isEqualTo(message.id());

        assertThat(server.requests()).hasSize(3).containsOnly(server.requests().get(0));
        assertThat(server.requests().get(0).json().text("id")).isEqualTo(message.id());
    }

    @Test
    void anAnswerThatDoesNotComeIsNotWaitedForLongerThanTheTimeout() {
        server.then(server.silence(), server.stalled());
        DelayClient hasty =
                builder(server.url()).timeout(Duration.ofMillis(300)).build();

        assertThat(hasty.push(message)).isEqualTo(message.id());

        assertThat(server.requests()).hasSizeGreaterThanOrEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "400, INVALID_REQUEST",
        "403, FORBIDDEN",
        "404, NOT_FOUND",
        "409, ID_CONFLICT",
        "413, TOO_LARGE",
        "500, INTERNAL"
    })
    void aRefusalIsFinal(int status, String error) {
        server.then(refused(status, error));

        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.push(message))
                .withMessage("HTTP " + status + " " + error + ": because of " + error)
                .satisfies(refusal -> {
                    assertThat(refusal.status()).isEqualTo(status);
                    assertThat(refusal.error()).isEqualTo(error);
                    assertThat(refusal.isInDoubt()).isFalse();
                });
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aRefusalForWantOfATokenNamesTheSettingOfTheToken() {
        server.then(refused(401, "UNAUTHORIZED"), refused(401, "UNAUTHORIZED"));

        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.push(message))
                .withMessage("HTTP 401 UNAUTHORIZED: because of UNAUTHORIZED"
                        + " (set the token by DelayClient.Builder.token)")
                .matches(refusal -> refusal.status() == 401);
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> builder(server.url())
                        .tokenSetting("the variable TOKEN")
                        .build()
                        .push(message))
                .withMessageEndingWith(" (set the token by the variable TOKEN)");
        assertThat(server.requests()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 400, 404})
    void aRefusalOfAnotherServerIsFinal(int status) {
        server.then(raw(status, "<html>not here</html>"));

        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.push(message))
                .satisfies(refusal -> assertThat(refusal.error()).isEmpty());
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aRefusalAfterALostAnswerSaysThatItMayBeLate() {
        server.then(lost(), refused(409, "ALREADY_FINISHED"));

        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.push(message))
                .satisfies(refusal -> assertThat(refusal.isInDoubt()).isTrue());
    }

    @Test
    void aDeadEndpointIsPassedOverAtOnce() throws IOException {
        String dead = "http://127.0.0.1:" + freePort();
        for (String[] order : List.of(new String[] {dead, server.url()}, new String[] {server.url(), dead})) {
            DelayClient both = builder(order).timeout(Duration.ofSeconds(5)).build();
            for (int i = 0; i < 3; i++) {
                assertThat(both.push(message)).isEqualTo(message.id());
            }
        }
        assertThat(server.requests()).hasSize(6);
    }

    @Test
    void anotherEndpointIsAskedWhileOneIsBusy() {
        try (StubServer other = StubServer.accepting()) {
            server.then(busy("3600"));
            other.then(busy("3600"));
            DelayClient both = builder(server.url(), other.url()).build();

            // The first endpoint is drawn at random, and both are busy once: two tries at once, and no third one within
            // the hour.
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> both.push(message))
                    .withMessageContaining("429 BUSY")
                    .withMessageContaining("2 tries")
                    .satisfies(failure -> assertThat(failure.isInDoubt()).isFalse())
                    .satisfies(failure -> assertThat(failure.retryAfter()).isEqualTo(Duration.ofHours(1)));
            assertThat(both.push(message)).isEqualTo(message.id());
        }
    }

    @Test
    void theItemsOfABatchAreInDoubtAfterALostAnswer() {
        String refused = StubServer.envelope(409, "ALREADY_FINISHED");
        server.then(StubServer.lost(), ok("[" + refused + "]"), ok("[" + refused + "]"));

        assertThat(client.pushAll(List.of(message)).get(0).failure())
                .hasValueSatisfying(failure -> assertThat(failure.isInDoubt()).isTrue());
        assertThat(client.pushAll(List.of(message)).get(0).failure())
                .hasValueSatisfying(failure -> assertThat(failure.isInDoubt()).isFalse());
    }

    @ParameterizedTest
    @MethodSource("doubtful")
    void anItemStaysInDoubtThatAnEarlierTryLeftSo(StubServer.Reply first, StubServer.Reply second) {
        server.then(first, second, ok("[" + StubServer.envelope(409, "ALREADY_FINISHED") + "]"));

        assertThat(client.pushAll(List.of(message)).get(0).failure())
                .containsInstanceOf(DelayRequestException.class)
                .hasValueSatisfying(failure -> assertThat(failure.isInDoubt()).isTrue());
        assertThat(server.requests()).hasSize(3);
    }

    static Stream<Arguments> doubtful() {
        StubServer.Reply unknown = ok("[" + StubServer.envelope(503, "OUTCOME_UNKNOWN") + "]");
        StubServer.Reply busy = ok("[" + StubServer.envelope(429, "BUSY") + "]");
        return Stream.of(Arguments.of(unknown, busy), Arguments.of(busy, unknown), Arguments.of(lost(), busy));
    }

    @Test
    void retryAfterIsWaitedFor() {
        server.then(busy("1"));
        long begin = System.nanoTime();

        client.push(message);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void noTryBeginsAfterTheTimeForTries() throws IOException {
        DelayClient impatient = builder("http://127.0.0.1:" + freePort())
                .retryFor(Duration.ofMillis(500))
                .build();

        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> impatient.push(message))
                .satisfies(failure -> assertThat(failure.isInDoubt()).isFalse());

        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> builder("http://127.0.0.1:1")
                        .retryFor(Duration.ZERO)
                        .build()
                        .push(message))
                .withMessage("http://127.0.0.1:1: the connection was refused (1 try)");
        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> builder("http://nohost.invalid:1")
                        .retryFor(Duration.ZERO)
                        .build()
                        .push(message))
                .withMessage("http://nohost.invalid:1: the name of this host is not known (1 try)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder("127.0.0.1:2").build())
                .withMessage("not an endpoint such as http://127.0.0.1:6355: 127.0.0.1:2");

        DelayClient once = builder(server.url()).retryFor(Duration.ZERO).build();
        server.then(lost());
        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> once.push(message))
                .withMessageContaining("(1 try)")
                .satisfies(failure -> assertThat(failure.isInDoubt()).isTrue());
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void aCancelIsTriedAgain() {
        server.then(refused(503, "OUTCOME_UNKNOWN"), lost(), ok("\"shop/20 ü\""));

        assertThat(client.cancel("shop/20 ü")).isEqualTo(CancelResult.CANCELLED);

        assertThat(server.requests()).hasSize(3).allSatisfy(request -> assertThat(request.uri())
                .isEqualTo("/delete?jobId=shop%2F20%20%C3%BC"));
    }

    @Test
    void aCallOnDeadLettersIsNotTriedAgainInDoubt() {
        DeadOrder order = DeadOrder.topic("orders");
        server.then(refused(503, "STORE_UNAVAILABLE"), lost());

        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> client.dead().respawn(order))
                .satisfies(failure -> assertThat(failure.isInDoubt()).isTrue());
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void aCancelledFutureEndsItsRequest() {
        server.then(server.silence());
        CompletableFuture<String> push = client.async().push(message);
        await().until(() -> server.requests().size() == 1);

        assertThat(push.cancel(true)).isTrue();

        assertThat(push).isCancelled();
        assertThat(client.push(message)).isEqualTo(message.id());
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        server.then(server.silence());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                client.push(message);
            } catch (DelayUnavailableException e) {
                failure.complete(Thread.currentThread().isInterrupted() ? e : null);
            }
        });
        caller.start();
        await().until(() -> server.requests().size() == 1);
        caller.interrupt();

        assertThat(failure.get(10, TimeUnit.SECONDS)).hasMessageContaining("interrupted");
    }

    @Test
    void theTokenIsSent() {
        builder(server.url() + "/").token("s3cret").build().push(message);

        assertThat(server.requests().get(0).authorization()).isEqualTo("Bearer s3cret");
        assertThat(server.requests().get(0).uri()).isEqualTo("/push");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost:6355", "127.0.0.1", "ftp://a", "http://", "http://a?b", "http:///a", "http://a b"})
    void anEndpointIsAUrl(String url) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder(url).build());
    }

    @Test
    void anEndpointIsRequired() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder().build());
    }

    private static DelayClient clientOf(String... endpoints) {
        return builder(endpoints).build();
    }

    private static DelayClient.Builder builder(String... endpoints) {
        return DelayClient.builder().endpoints(endpoints).retryFor(Duration.ofSeconds(10));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
