package io.mykit.delay.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.controller.TestServer.Answer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthTest {
    private final TestServer http = new TestServer(TestConfig.open());

    @AfterEach
    void close() {
        http.close();
    }

    @Test
    void everythingUp() {
        JSONObject data = http.get("/health").json().getJSONObject("data");
        assertThat(data.getString("status")).isEqualTo("UP");
        assertThat(data.getString("role")).isEqualTo("LEADER");
        assertThat(data.getLongValue("epoch")).isEqualTo(42);
        assertThat(data.getString("version")).isEqualTo("1.2.3");
        assertThat(data.getLongValue("uptimeMs")).isNotNegative();
        assertThat(data.getJSONObject("checks").keySet()).containsExactly("store", "index", "loops");
        assertThat(data.getJSONObject("checks").getJSONObject("store").toString())
                .isEqualTo("{\"up\":true,\"details\":{\"rows\":3}}");
    }

    @Test
    void withoutTheIndexItIsDegradedButReady() {
        http.stub.index = () -> Health.down("refused");
        Answer answer = http.get("/health");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().getJSONObject("data").getString("status")).isEqualTo("DEGRADED");
        assertThat(http.get("/health/ready").status()).isEqualTo(200);
        assertThat(http.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void withoutTheStoreItIsDownButAlive() {
        http.stub.store = () -> Health.down("refused");
        Answer answer = http.get("/health");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.error()).isEqualTo("STORE_UNAVAILABLE");
        assertThat(answer.json().getJSONObject("data").getString("status")).isEqualTo("DOWN");
        assertThat(http.get("/health/ready").status()).isEqualTo(503);
        assertThat(http.get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void aStopIsAnnouncedWhileEverythingIsServed() {
        assertThat(http.get("/health").json().getJSONObject("data").getBoolean("stopping"))
                .isFalse();
        assertThat(http.get("/health/ready").header("connection")).isNull();
        http.server.announceStop();
        Answer ready = http.get("/health/ready");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.error()).isEqualTo("STOPPING");
        assertThat(ready.message()).contains("stopping");
        Answer pushed = http.post("/push", "{\"topic\":\"t\"}");
        assertThat(pushed.status()).isEqualTo(200);
        assertThat(pushed.header("connection")).isEqualTo("close");
        assertThat(http.get("/health/live").status()).isEqualTo(200);
        Answer health = http.get("/health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.json().getJSONObject("data").getBoolean("stopping")).isTrue();
    }

    @Test
    void aLoopThatDoesNotRunIsShownAndTheNodeGoesOn() {
        http.stub.loops = () -> Health.down("bucket-1 has not ticked for 30 s");
        Answer health = http.get("/health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.json().getJSONObject("data").getString("status")).isEqualTo("DEGRADED");
        assertThat(http.get("/health/live").status()).isEqualTo(200);
        assertThat(http.get("/health/ready").status()).isEqualTo(200);
    }

    @Test
    void aLoopThatOnlyARestartBringsBackTurnsLiveAndReadyRed() {
        http.stub.beyondRepair = List.of("intake", "topics");
        for (String call : List.of("/health/live", "/health/ready")) {
            Answer answer = http.get(call);
            assertThat(answer.status()).as(call).isEqualTo(503);
            assertThat(answer.error()).isEqualTo("INTERNAL");
            assertThat(answer.message()).contains("restart", "[intake, topics]");
        }
        assertThat(http.get("/health").status()).isEqualTo(200);
    }

    @Test
    void aCheckThatThrowsIsDown() {
        http.stub.index = () -> {
            throw new IllegalStateException("password=secret");
        };
        assertThat(http.get("/health").response().body())
                .contains("IllegalStateException")
                .doesNotContain("secret");
    }

    @Test
    void aCheckThatHangsIsDownAndAskedOnce() {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch hang = new CountDownLatch(1);
        try (TestServer hasty = new TestServer(TestConfig.open(), TestServer.HASTY)) {
            hasty.stub.index = () -> {
                asked.incrementAndGet();
                try {
                    hang.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
                return Health.down("late");
            };
            for (int i = 0; i < 3; i++) {
                assertThat(hasty.get("/health").response().body()).contains("no answer within 300 ms");
            }
            assertThat(asked).hasValue(1);
            hang.countDown();
        }
    }

    @Test
    void healthAnswersWhenAllWorkersAreBusy() {
        http.stub.gate = new CountDownLatch(1);
        // Two threads and two places before them.
        List<CompletableFuture<HttpResponse<String>>> calls = Stream.generate(
                        () -> http.sendLater(http.request("/delete?id=x")))
                .limit(9)
                .toList();
        await().until(() -> calls.stream().filter(CompletableFuture::isDone).count() == 5);
        assertThat(calls.stream().filter(CompletableFuture::isDone)).allSatisfy(call -> {
            assertThat(call.join().statusCode()).isEqualTo(429);
            assertThat(call.join().headers().firstValue("retry-after")).hasValue("1");
        });
        assertThat(http.get("/health").status()).isEqualTo(200);
        assertThat(http.get("/metrics").status()).isEqualTo(200);
        assertThat(http.post("/push", "{\"topic\":\"t\"}").status()).isEqualTo(200);
    }

    @Test
    void oneLongCallAtATime() {
        http.stub.gate = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> first = http.sendLater(http.request("/reStore"));
        await().until(() -> http.stub.atGate.get() == 1);
        assertThat(http.get("/clearAll").error()).isEqualTo("ALREADY_RUNNING");
        http.stub.gate.countDown();
        assertThat(first.join().statusCode()).isEqualTo(200);
        assertThat(http.get("/clearAll").status()).isEqualTo(200);
    }
}
