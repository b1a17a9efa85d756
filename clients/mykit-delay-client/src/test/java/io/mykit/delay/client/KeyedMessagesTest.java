package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.ok;
import static io.mykit.delay.client.StubServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the calls by business key send, and what they read. */
@Timeout(30)
class KeyedMessagesTest {
    private final StubServer server = StubServer.accepting();
    private final DelayClient client = DelayClient.builder()
            .endpoint(server.url())
            .retryFor(Duration.ofSeconds(5))
            .build();
    private final KeyedMessages timers = client.ofKey("shop/orders", "4711 &");

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void eachMessageHasItsOwnResult() {
        server.then(ok("[" + done("a", "\"a\"") + "," + done("b", "\"b\",\"attempted\":true") + ","
                + failed("c", 409, "ALREADY_DISPATCHED") + "," + failed("d", 503, "OUTCOME_UNKNOWN") + ","
                + failed("e", 503, "STORE_UNAVAILABLE") + "," + failed("f", 500, "INTERNAL") + "]"));
        List<KeyedResult<CancelResult>> results = timers.cancel();
        assertThat(results).extracting(KeyedResult::id).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(results)
                .extracting(KeyedResult::result)
                .startsWith(
                        Optional.of(CancelResult.CANCELLED),
                        Optional.of(CancelResult.CANCELLED_AFTER_ATTEMPT),
                        Optional.of(CancelResult.ALREADY_DISPATCHED),
                        Optional.empty());
        assertThat(results.get(3).failure().orElseThrow().isInDoubt()).isTrue();
        assertThat(results.get(4).failure().orElseThrow().isInDoubt()).isFalse();
        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> results.get(4).orThrow())
                .withMessageContaining("message e");
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> results.get(5).orThrow());
        assertThat(server.requests().get(0).method()).isEqualTo("DELETE");
        assertThat(server.requests().get(0).uri()).isEqualTo("/delete?topic=shop%2Forders&bizKey=4711%20%26");
    }

    @Test
    void allMessagesMove() {
        server.then(ok("[" + done("a", "{\"id\":\"a\",\"dueTime\":1}") + "," + failed("b", 404, "NOT_FOUND") + "]"));
        assertThat(timers.reschedule(Duration.ofMinutes(15)))
                .extracting(KeyedResult::orThrow)
                .containsExactly(RescheduleResult.RESCHEDULED, RescheduleResult.NOT_FOUND);
        assertThat(server.requests().get(0).json().integer("delay")).isEqualTo(900_000);
        assertThat(server.requests().get(0).json().text("bizKey")).isEqualTo("4711 &");
        server.then(ok("[]"));
        assertThat(timers.reschedule(Instant.ofEpochMilli(1_800_000_000_000L))).isEmpty();
        assertThat(server.requests().get(1).json().integer("triggerAt")).isEqualTo(1_800_000_000_000L);
    }

    @Test
    void tooManyIsARefusalAndBusyIsTriedAgain() {
        server.then(refused(409, "TOO_MANY"));
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(timers::cancel)
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("TOO_MANY"));
        server.then(refused(429, "BUSY")).then(ok("[]"));
        assertThat(timers.cancel()).isEmpty();
    }

    @Test
    void theListHasAllPagesAndNoMessageTwice() {
        server.then(ok("{\"items\":[" + found("b", 2) + "," + found("c", 3) + "],\"next\":\"n-1\"}"))
                .then(ok("{\"items\":[],\"next\":\"n-2\"}"))
                .then(ok("{\"items\":[" + found("b", 2) + "," + found("a", 1) + "],\"next\":null}"));
        List<MessageSummary> found = timers.list();
        assertThat(found).extracting(MessageSummary::id).containsExactly("a", "b", "c");
        assertThat(found.get(0).status()).isEqualTo(MessageStatus.DELAY);
        assertThat(found.get(0).dueTime()).isEqualTo(Instant.ofEpochMilli(1));
        assertThat(found.get(0).nextAttempt()).isEmpty();
        assertThat(server.requests().get(0).uri())
                .isEqualTo(
                        "/messages?topic=shop%2Forders&bizKey=4711%20%26&status=WAIT_PUT,DELAY,READY,RESTORE&limit=500");
        assertThat(server.requests().get(2).uri()).endsWith("&limit=500&after=n-2");
    }

    private static String done(String id, String data) {
        return "{\"id\":\"" + id + "\",\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":" + data + "}";
    }

    private static String failed(String id, int code, String error) {
        return "{\"id\":\"" + id + "\",\"success\":false,\"code\":" + code + ",\"message\":\"no\",\"error\":\"" + error
                + "\",\"data\":null}";
    }

    private static String found(String id, long due) {
        return "{\"id\":\"" + id
                + "\",\"topic\":\"shop/orders\",\"subtopic\":\"\",\"bizKey\":\"4711 &\",\"status\":\"DELAY\","
                + "\"dueTime\":" + due + ",\"createTime\":0,\"attempts\":0,\"priority\":0,\"bodyBytes\":3}";
    }
}
