package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.mykit.delay.queue.overview.ActingCall;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuditTest {
    private static final String ADMIN = "s3cret-admin-token";
    private static final String PRODUCER = "s3cret-producer-token";

    private final LogLines log = new LogLines("io.mykit.delay.audit");
    private final Queue<ILoggingEvent> lines = log.queue();
    private final TestServer http = new TestServer(TestConfig.tokens(ADMIN, PRODUCER));

    @AfterEach
    void stop() {
        http.close();
        log.close();
    }

    private HttpRequest.Builder as(String token, String path) {
        return http.request(path).header("Authorization", "Bearer " + token);
    }

    private void postJson(String path, String body) {
        http.send(as(ADMIN, path)
                .header("Content-Type", "application/json")
                .header("x-request-id", "r-7")
                .POST(BodyPublishers.ofString(body)));
    }

    private ActingCall only() {
        await().until(() -> !http.stub.overviews.called.isEmpty());
        assertThat(http.stub.overviews.called).hasSize(1);
        return http.stub.overviews.called.get(0);
    }

    @Test
    void aCallHasItsCallerAndResultAndNoToken() {
        postJson("/operations/stop", "{\"id\":\"a-1\\n[INFO] forged\"}");
        ActingCall call = only();
        assertThat(call.call()).isEqualTo("stopOperation");
        assertThat(call.what()).isEqualTo("id=a-1\\u000a[INFO] forged");
        assertThat(call.caller()).isEqualTo("operator");
        assertThat(call.address()).isEqualTo("127.0.0.1");
        assertThat(call.status()).isEqualTo(200);
        assertThat(call.result()).isEqualTo("DONE");
        assertThat(call.timeMs()).isEqualTo(StubBackend.NOW);
        assertThat(lines).hasSize(1);
        ILoggingEvent line = lines.element();
        assertThat(line.getFormattedMessage())
                .startsWith("stopOperation id=a-1\\u000a[INFO] forged by operator from 127.0.0.1: 200 DONE in ")
                .endsWith(" ms, request r-7")
                .doesNotContain(ADMIN);
        Map<String, Object> facts = new TreeMap<>();
        line.getKeyValuePairs().forEach(pair -> facts.put(pair.key, pair.value));
        assertThat(facts)
                .containsEntry("call", "stopOperation")
                .containsEntry("caller", "operator")
                .containsEntry("result", "DONE")
                .containsEntry("request_id", "r-7")
                .containsOnlyKeys("call", "what", "caller", "address", "status", "result", "ms", "request_id");
    }

    @Test
    void aRefusedCallHasTheWordOfItsError() {
        postJson("/operations/stop", "{\"id\":\"\"}");
        assertThat(only().result()).isEqualTo("INVALID_REQUEST");
        assertThat(only().status()).isEqualTo(400);
    }

    @Test
    void aCharacterThatIsNotSeenIsWrittenByItsCode() {
        http.send(as(ADMIN, "/topics/resume?topic=jobs%E2%80%AEgnp.exe").POST(BodyPublishers.noBody()));
        assertThat(only().what()).isEqualTo("topic=jobs\\u202egnp.exe");
        assertThat(lines.element().getFormattedMessage()).contains("topic=jobs\\u202egnp.exe by");
    }

    @Test
    void aCallThatTheRoleDoesNotAllowIsRecorded() {
        http.send(
                as(PRODUCER, "/clearAll?topic=t").header("x-request-id", "r-8").POST(BodyPublishers.noBody()));
        ActingCall call = only();
        assertThat(call.call()).isEqualTo("clearAll");
        assertThat(call.what()).isEqualTo("topic=t");
        assertThat(call.caller()).isEqualTo("producer");
        assertThat(call.address()).isEqualTo("127.0.0.1");
        assertThat(call.status()).isEqualTo(403);
        assertThat(call.result()).isEqualTo("FORBIDDEN");
        assertThat(lines).hasSize(1);
        assertThat(lines.element().getFormattedMessage())
                .startsWith("clearAll topic=t by producer from 127.0.0.1: 403 FORBIDDEN in ")
                .endsWith(" ms, request r-8");
    }

    @Test
    void aCallerWithoutAKnownTokenFillsNoRecord() {
        http.send(as("guess", "/clearAll").POST(BodyPublishers.noBody()));
        http.send(http.request("/clearAll").POST(BodyPublishers.noBody()));
        http.send(as(PRODUCER, "/peek?topic=t").GET());
        http.send(as(ADMIN, "/clearAll?topic=t").POST(BodyPublishers.noBody()));
        assertThat(only().caller()).isEqualTo("operator");
    }

    @Test
    void neitherReadsNorDryRunsAreRecorded() {
        http.send(as(ADMIN, "/overview").GET());
        http.send(as(ADMIN, "/log").GET());
        http.send(as(ADMIN, "/clearAll?dryRun=true").POST(BodyPublishers.noBody()));
        http.send(as(PRODUCER, "/clearAll?dryRun=true").POST(BodyPublishers.noBody()));
        http.send(as(ADMIN, "/clearAll?topic=t").POST(BodyPublishers.noBody()));
        assertThat(only().call()).isEqualTo("clearAll");
        assertThat(only().what()).isEqualTo("topic=t");
    }

    @Test
    void aCancelIsRecordedIfAPersonMadeIt() {
        http.send(as(PRODUCER, "/delete?jobId=1").POST(BodyPublishers.noBody()));
        http.send(as(ADMIN, "/delete?jobId=2").POST(BodyPublishers.noBody()));
        http.send(as(PRODUCER, "/delete?jobId=3")
                .header(
                        "Origin",
                        "http://127.0.0.1:" + http.request("/").build().uri().getPort())
                .POST(BodyPublishers.noBody()));
        await().until(() -> http.stub.overviews.called.size() == 2);
        assertThat(http.stub.overviews.called)
                .extracting(call -> call.caller() + " " + call.what())
                .isEqualTo(List.of("operator jobId=2", "producer jobId=3"));
    }
}
