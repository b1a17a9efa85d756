package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.lost;
import static io.mykit.delay.client.StubServer.ok;
import static io.mykit.delay.client.StubServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(30)
class PullCallsTest {
    private final PullStub stub = new PullStub();
    private final DelayClient client =
            DelayClient.builder().endpoint(stub.server().url()).build();
    private PulledMessage message;

    @BeforeEach
    void pull() {
        stub.due("20");
        message = client.pull(PullRequest.topics("orders").ttr(Duration.ofMinutes(1)))
                .get(0);
    }

    @AfterEach
    void close() {
        stub.close();
    }

    @Test
    void aPullAsksForMessagesAndReadsThem() {
        assertThat(message.id()).isEqualTo("20");
        assertThat(message.topic()).isEqualTo("orders");
        assertThat(message.text()).isEqualTo("body of 20");
        assertThat(message.headers()).containsEntry("tenant", "shop");
        assertThat(message.dueTime()).isEqualTo(Instant.ofEpochSecond(1_800_000_000));
        assertThat(message.attempt()).isEqualTo(1);
        assertThat(message.deliveries()).as("a server of an older version").isEqualTo(1);
        assertThat(message.maxAttempts()).isEqualTo(16);
        assertThat(message.lease().receipt()).isEqualTo("receipt-of-20");
        assertThat(message.lease().until()).isEqualTo(Instant.ofEpochSecond(1_800_000_060));
        assertThat(message.isLeaseLost()).isFalse();

        stub.server().requests().clear();
        client.pull(PullRequest.topics("a", "b")
                .count(10)
                .waitFor(Duration.ofMillis(20))
                .ttr(Duration.ofSeconds(60)));
        client.pull(PullRequest.topics("a"));
        assertThat(stub.server().requests())
                .extracting(StubServer.Received::body)
                .containsExactly(
                        "{\"topic\":[\"a\",\"b\"],\"count\":10,\"wait\":20,\"ttr\":60000}",
                        "{\"topic\":[\"a\"],\"count\":1,\"wait\":0}");
    }

    @Test
    void anAckMayHaveAResult() {
        assertThat(client.ack(message, Body.of("seven"))).isEqualTo(SettleResult.DONE);
        assertThat(stub.settled("ack", "20").text("result")).isEqualTo("seven");
        stub.due("21");
        client.ack(client.pull(PullRequest.topics("orders")).get(0), Body.of(new byte[] {-1, 0}));
        assertThat(stub.settled("ack", "21").text("resultBase64")).isEqualTo("/wA=");
    }

    @Test
    void aPullWaitsInAdditionToTheTimeout() {
        DelayClient hasty = DelayClient.builder()
                .endpoint(stub.server().url())
                .timeout(Duration.ofSeconds(1))
                .build();
        stub.server().requests().clear();

        assertThat(hasty.pull(PullRequest.topics("orders").waitFor(Duration.ofMillis(1_100))))
                .isEmpty();
        assertThat(stub.server().requests()).hasSize(1);
    }

    @Test
    void theCallsOnAMessageAreThoseOfTheServer() {
        assertThat(client.extend(message, Duration.ofSeconds(90))).isEqualTo(SettleResult.DONE);
        assertThat(client.nack(message, "no stock", Duration.ofMinutes(5))).isEqualTo(SettleResult.DONE);
        assertThat(client.nack(message, "no stock")).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(client.release(message)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(client.release(message, Duration.ofSeconds(1))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(client.bury(message, "no such order")).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(client.ack(message)).isEqualTo(SettleResult.LEASE_LOST);

        assertThat(stub.settled())
                .containsExactly("extend 20", "nack 20", "nack 20", "release 20", "release 20", "bury 20", "ack 20");
        JsonObject extend = stub.settled("extend", "20");
        assertThat(extend.text("receipt")).isEqualTo("receipt-of-20");
        assertThat(extend.integer("ttr")).isEqualTo(90_000);
        JsonObject nack = stub.settled("nack", "20");
        assertThat(nack.text("detail")).isEqualTo("no stock");
        assertThat(nack.integer("delay")).isEqualTo(300_000);
        assertThat(stub.settled("bury", "20").text("detail")).isEqualTo("no such order");
    }

    @Test
    void anExtensionTellsWhetherTheLeaseIsLost() {
        stub.server().then(ok("{\"id\":\"20\",\"leaseUntil\":1800000090000}"));
        client.extend(message, Duration.ofSeconds(90));
        assertThat(message.lease().until()).isEqualTo(Instant.ofEpochSecond(1_800_000_090));
        assertThat(message.isLeaseLost()).isFalse();

        stub.lose("20");
        assertThat(client.extend(message, Duration.ofSeconds(90))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(message.isLeaseLost()).isTrue();
    }

    @Test
    void aLeaseIsLostWhenItsTimeIsOver() {
        client.extend(message, Duration.ofMillis(1));
        while (!message.isLeaseLost()) {
            Thread.onSpinWait();
        }
        client.extend(message, Duration.ofMinutes(1));
        assertThat(message.isLeaseLost()).isFalse();
    }

    static Stream<Function<DelayClient, Function<PulledMessage, SettleResult>>> settling() {
        return Stream.of(
                client -> message -> client.nack(message, "no stock"),
                client -> client::release,
                client -> message -> client.bury(message, "no stock"));
    }

    @ParameterizedTest
    @MethodSource("settling")
    void aLeaseThatIsGoneAfterALostAnswerIsUnclear(Function<DelayClient, Function<PulledMessage, SettleResult>> call) {
        for (String error : List.of("LEASE_LOST", "ALREADY_FINISHED")) {
            stub.server().then(lost(), refused(409, error));
            assertThat(call.apply(client).apply(message)).isEqualTo(SettleResult.UNCLEAR);
        }
        stub.server().then(refused(503, "STORE_UNAVAILABLE"), refused(409, "LEASE_LOST"));
        assertThat(call.apply(client).apply(message)).isEqualTo(SettleResult.LEASE_LOST);
    }

    @ParameterizedTest
    @CsvSource({"409, LEASE_LOST", "409, ALREADY_FINISHED", "404, NOT_FOUND"})
    void theOutcomeOfAnAckIsClearAfterALostAnswer(int status, String error) {
        stub.server().then(lost(), refused(status, error));
        assertThat(client.ack(message)).isEqualTo(SettleResult.valueOf(error));
        stub.server().then(lost(), ok("\"20\""));
        assertThat(client.ack(message)).isEqualTo(SettleResult.DONE);
    }

    @Test
    void otherRefusalsAreThrown() {
        stub.server().then(refused(409, "NOT_PULLABLE"));
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.pull(PullRequest.topics("orders")))
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("NOT_PULLABLE"));
        stub.server().then(refused(400, "INVALID_REQUEST"));
        assertThatExceptionOfType(DelayRequestException.class).isThrownBy(() -> client.ack(message));
    }

    @Test
    void anAnswerOfAnotherFormIsNoResult() {
        stub.server().then(ok("[{\"id\":\"20\"}]"));
        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> client.pull(PullRequest.topics("orders")))
                .withMessageContaining("the field topic is missing")
                .satisfies(failure -> assertThat(failure.isInDoubt()).isTrue());
    }
}
