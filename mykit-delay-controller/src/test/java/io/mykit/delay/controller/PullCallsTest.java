package io.mykit.delay.controller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.controller.TestServer.Answer;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settlement;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PullCallsTest {
    private TestServer http;
    private StubPulling pulling;

    @BeforeEach
    void start() {
        http = new TestServer(TestConfig.open());
        pulling = http.stub.pulling;
    }

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void aPulledMessageHasTheFieldsOfItsPush() {
        Answer answer = http.post("/pull?topic=t", "");
        assertThat(answer.json().getJSONArray("data").toString())
                .isEqualTo(
                        "[{\"id\":\"20\",\"topic\":\"t\",\"subtopic\":\"s\",\"bizKey\":\"k\",\"body\":\"{\\\"a\\\":1}\","
                                + "\"headers\":{},\"createTime\":1700000000000,\"dueTime\":1700000000005,\"priority\":3,"
                                + "\"attempt\":2,\"deliveries\":3,\"maxAttempts\":16,\"receipt\":\"7R2KX0\",\"leaseUntil\":1700000060005}]");
        assertThat(pulling.givenBack).isEmpty();
    }

    @Test
    void fieldsStandInTheUrlInAFormOrInJson() {
        PullOrder expected =
                new PullOrder(List.of("a", "b"), 10, Duration.ofSeconds(20), Duration.ofMinutes(1), false, "127.0.0.1");
        http.post("/pull?topic=a&topic=b&count=10&wait=20s&ttr=60000", "");
        http.post("/pull", "{\"topic\":[\"a\",\"b\"],\"count\":10,\"wait\":20000,\"ttr\":\"1m\"}");
        http.send(http.request("/pull")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("topic=a&topic=b&count=10&wait=20000&ttr=60s")));
        // As curl -d sends it.
        http.send(http.request("/pull")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("{\"topic\":[\"a\",\"b\"],\"count\":10,\"wait\":20000,\"ttr\":\"1m\"}")));
        assertThat(pulling.orders).hasSize(4).containsOnly(expected);

        http.post("/pull", "{\"topic\":\"a\"}");
        assertThat(pulling.orders)
                .last()
                .isEqualTo(new PullOrder(List.of("a"), 1, Duration.ZERO, null, false, "127.0.0.1"));
    }

    @Test
    void aConsumerMayGiveItsName() {
        http.post("/pull?topic=a&consumer=worker-1", "");
        http.post("/pull", "{\"topic\":\"a\",\"consumer\":\"orders.svc:1/a@b_c\"}");
        http.get("/get/a?consumer=w");
        assertThat(pulling.orders)
                .extracting(PullOrder::consumer)
                .containsExactly("worker-1", "orders.svc:1/a@b_c", "w");
        for (String wrong : List.of("", "a b", "%E5%93%A5", "a,b", "a~b", "x".repeat(31))) {
            Answer answer = http.post("/pull?topic=a&consumer=" + wrong.replace(" ", "%20"), "");
            assertThat(answer.status()).as(wrong).isEqualTo(400);
            assertThat(answer.message())
                    .isEqualTo("consumer must have 1 to 30 characters: letters and digits of ASCII, and . _ : @ / -");
        }
        assertThat(http.post("/pull?topic=a&consumer=" + "x".repeat(30), "").status())
                .isEqualTo(200);
    }

    @Test
    void aHeldMessageTellsItsConsumer() {
        assertThat(http.get("/job/held").json().getJSONObject("data"))
                .containsEntry("leaseUntil", 70)
                .containsEntry("consumer", "worker-1")
                .containsEntry("takenAt", 60);
        assertThat(http.get("/job/20").json().getJSONObject("data"))
                .doesNotContainKeys("leaseUntil", "consumer", "takenAt");
        assertThat(http.get("/peek?topic=t&state=taken&limit=3")
                        .json()
                        .getJSONArray("data")
                        .toString())
                .isEqualTo("[{\"id\":\"TAKEN-3\",\"bizKey\":\"k\",\"dueTime\":5,\"priority\":1,\"attempts\":2,"
                        + "\"leaseUntil\":70,\"consumer\":\"worker-1\",\"takenAt\":60}]");
        assertThat(http.get("/topics?topic=t")
                        .json()
                        .getJSONArray("data")
                        .getJSONObject(0)
                        .get("consumers")
                        .toString())
                .isEqualTo("[{\"consumer\":\"10.0.0.7\",\"waiting\":2,\"taken\":0},"
                        + "{\"consumer\":\"worker-1\",\"waiting\":1,\"taken\":3}]");
    }

    @Test
    void answersNothingAsAnEmptyArray() {
        assertThat(http.post("/pull?topic=empty", "").json().getJSONArray("data"))
                .isEmpty();
        assertThat(http.get("/get/empty").json()).containsEntry("data", null);
    }

    @Test
    void aTopicOfABrokerIsNotPulled() {
        Answer answer = http.post("/pull?topic=broker", "");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.error()).isEqualTo("NOT_PULLABLE");
    }

    @Test
    void getTakesOneMessage() {
        Answer answer = http.get("/get/shop/a?wait=1s&ttr=2s");
        assertThat(answer.json().getJSONObject("data")).containsEntry("receipt", "7R2KX0");
        Answer finished = http.get("/get/shop%2Fa?ack=auto");
        assertThat(finished.json().getJSONObject("data")).doesNotContainKeys("receipt", "leaseUntil");
        assertThat(pulling.orders)
                .containsExactly(
                        new PullOrder(
                                List.of("shop/a"), 1, Duration.ofSeconds(1), Duration.ofSeconds(2), false, "127.0.0.1"),
                        new PullOrder(List.of("shop/a"), 1, Duration.ZERO, null, true, "127.0.0.1"));
    }

    @Test
    void waitsForAMessageWithoutAWorker() {
        // The test server has two workers, and two more calls may wait for one.
        List<CompletableFuture<HttpResponse<String>>> consumers =
                List.of(ask(1), ask(2), ask(3), ask(4), ask(5), ask(6));
        await().until(() -> pulling.waiting.size() == 6);
        assertThat(http.get("/job/20").status()).isEqualTo(200);

        pulling.waiting.forEach((order, answer) -> answer.accept(pulling.messages(order)));

        consumers.forEach(consumer -> assertThat(consumer.join().body()).contains("7R2KX0"));
        assertThat(pulling.cancelled).isEmpty();
        assertThat(pulling.givenBack).isEmpty();
    }

    @Test
    void anAnswerThatCannotBeMadeIsAFailure() {
        CompletableFuture<HttpResponse<String>> consumer = ask(1);
        await().until(() -> !pulling.waiting.isEmpty());
        PullAnswer bad = new PullAnswer(List.of(new PulledMessage(null, 1, 1, 1, "7R2KX0", 0)), null);

        pulling.waiting.forEach((order, answer) ->
                assertThatThrownBy(() -> answer.accept(bad)).isInstanceOf(NullPointerException.class));

        assertThat(consumer.join().statusCode()).isEqualTo(500);
    }

    @Test
    void aStopAnswersConsumersThatWait() {
        CompletableFuture<HttpResponse<String>> consumer = ask(1);
        await().until(() -> !pulling.waiting.isEmpty());

        http.server.announceStop();

        assertThat(consumer.join().body()).contains("\"data\":[]");
        assertThat(consumer.join().headers().firstValue("connection")).contains("close");
        assertThat(pulling.cancelled).hasSize(1);
        // A message that comes too late is given back.
        pulling.waiting.forEach((order, answer) -> answer.accept(pulling.messages(order)));
        assertThat(pulling.givenBack).containsExactly("waits");
        // A later consumer does not wait.
        assertThat(http.post("/pull?topic=waits&wait=10s", "").json().getJSONArray("data"))
                .isEmpty();
    }

    @Test
    void aConsumerThatHangsUpWaitsNoMore() throws IOException {
        try (Socket consumer = http.socket()) {
            consumer.getOutputStream()
                    .write("POST /pull?topic=waits&wait=10s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
                            .getBytes(UTF_8));
            await().until(() -> !pulling.waiting.isEmpty());
        }

        await().until(() -> pulling.cancelled.size() == 1);
        pulling.waiting.forEach((order, answer) -> answer.accept(pulling.messages(order)));
        await().untilAsserted(() -> assertThat(pulling.givenBack).containsExactly("waits"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ack", "nack", "release", "bury"})
    void settlesOne(String call) {
        Answer url = http.post("/" + call + "?id=20&receipt=r", "");
        Answer json = http.post("/" + call, "{\"jobId\":20,\"receipt\":\"r\"}");
        String recorded = call.equals("ack") ? ",\"recorded\":true" : "";
        for (Answer answer : List.of(url, json)) {
            assertThat(answer.json().getJSONObject("data").toString()).isEqualTo("{\"id\":\"20\"" + recorded + "}");
        }
        assertThat(pulling.settlements).containsOnly(new Settlement("20", "r", null, null, ""));
    }

    @Test
    void settlesWithAllFields() {
        http.post("/nack", "{\"id\":\"20\",\"receipt\":\"r\",\"delay\":\"5m\",\"detail\":\"no disk\"}");
        http.post("/release?id=20&receipt=r&delay=0", "");
        Answer extended = http.post("/extend?id=20&receipt=r&ttr=24h", "");
        assertThat(extended.json().getJSONObject("data").toString()).isEqualTo("{\"id\":\"20\",\"leaseUntil\":99}");
        assertThat(pulling.settlements)
                .containsExactly(
                        new Settlement("20", "r", Duration.ofMinutes(5), null, "no disk"),
                        new Settlement("20", "r", Duration.ZERO, null, ""),
                        new Settlement("20", "r", null, Duration.ofHours(24), ""));
    }

    @Test
    void anAckMayHaveAResult() {
        http.post("/ack", "{\"id\":\"20\",\"receipt\":\"r\",\"result\":\"{\\\"sum\\\":7}\"}");
        http.post("/ack?id=20&receipt=r&resultBase64=AP8", "");
        http.post("/ack", "{\"items\":[{\"id\":\"20\",\"receipt\":\"r\",\"result\":\"\"}]}");
        http.send(http.request("/ack")
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("id=20&receipt=r&result=a+line%0Aand+more")));
        assertThat(pulling.settlements)
                .extracting(Settlement::result)
                .containsExactly(
                        new MessageResult("{\"sum\":7}", false),
                        new MessageResult("AP8=", true),
                        new MessageResult("", false),
                        new MessageResult("a line\nand more", false));
    }

    @ParameterizedTest
    @CsvSource({"result,x,65536", "result,\u00e9,32768", "resultBase64,AAAA,21845"})
    void aResultHasAtMost64KiB(String field, String part, int times) {
        stop();
        http = new TestServer(TestConfig.open().withBodies(200_000));
        pulling = http.stub.pulling;
        String most = "{\"id\":\"20\",\"receipt\":\"r\",\"" + field + "\":\"" + part.repeat(times);
        String rest = field.equals("result") ? "" : "AA==";
        assertThat(http.post("/ack", most + rest + "\"}").status()).isEqualTo(200);

        String more = field.equals("result") ? part : "AAA=";
        Answer answer = http.post("/ack", most + more + "\"}");

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.error()).isEqualTo("TOO_LARGE");
        assertThat(answer.json()).containsEntry("message", field + " is larger than 65536 bytes");
        assertThat(pulling.settlements).hasSize(1);
    }

    @Test
    void finishesWithOrWithoutAReceipt() {
        assertThat(http.get("/finish?jobId=20").status()).isEqualTo(200);
        assertThat(http.post("/finish?id=20&receipt=r", "").status()).isEqualTo(200);
        assertThat(pulling.settlements)
                .containsExactly(new Settlement("20", null, null, null, ""), new Settlement("20", "r", null, null, ""));
    }

    @Test
    void anAckThatIsNotRecordedYetSaysSo() {
        assertThat(http.post("/ack?id=parked&receipt=r", "").json().getJSONObject("data"))
                .containsEntry("recorded", false);
    }

    @ParameterizedTest
    @CsvSource({
        "LEASE_LOST,409,LEASE_LOST",
        "NOT_PULLABLE,409,NOT_PULLABLE",
        "ALREADY_FINISHED,409,ALREADY_FINISHED",
        "NOT_FOUND,404,NOT_FOUND",
        "away,503,INDEX_UNAVAILABLE"
    })
    void refusalsHaveAWord(String id, int status, String error) {
        Answer answer = http.post("/ack?receipt=r&id=" + id, "");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.error()).isEqualTo(error);
    }

    @Test
    void eachItemIsAnsweredOnItsOwn() {
        JSONArray data = http.post(
                        "/ack",
                        "{\"items\":[{\"id\":\"20\",\"receipt\":\"r\"},{\"id\":\"21\"},7,"
                                + "{\"id\":\"LEASE_LOST\",\"receipt\":\"r\"},{\"id\":\"22\",\"receipt\":\"r\",\"dealy\":{\"a\":[]}},"
                                + "{\"id\":\"23\",\"receipt\":\"r\"}]}")
                .json()
                .getJSONArray("data");
        assertThat(data.stream().map(item -> ((JSONObject) item).getString("message")))
                .containsExactly(
                        "ok",
                        "receipt is required",
                        "an item must be an object",
                        "the lease of message LEASE_LOST has ended, or another consumer holds the message",
                        "unknown parameter dealy; known are id, jobId, JobId, receipt, result," + " resultBase64",
                        "ok");
        assertThat(pulling.settlements).extracting(Settlement::id).containsExactly("20", "LEASE_LOST", "23");
        assertThat(http.post("/ack", "{\"items\":[]}").json().getJSONArray("data"))
                .isEmpty();
    }

    @Test
    void showsTopics() {
        assertThat(http.get("/topics?topic=t").json().getJSONArray("data").toString())
                .isEqualTo(
                        "[{\"topic\":\"t\",\"channel\":\"pull\",\"waiting\":1,\"ready\":2,\"taken\":3,\"dead\":4,"
                                + "\"paused\":true,\"pausedUntil\":6,\"oldestReady\":5,\"state\":\"paused\","
                                + "\"consumers\":[{\"consumer\":\"10.0.0.7\",\"waiting\":2,\"taken\":0},"
                                + "{\"consumer\":\"worker-1\",\"waiting\":1,\"taken\":3}],\"settings\":{\"channel\":{\"value\":\"good\",\"from\":\"delivery.default-channel\"},"
                                + "\"metrics\":{\"value\":false,\"from\":\"default\"}},\"policy\":{\"maxAttempts\":{\"value\":16,\"from\":\"delivery.max-attempts\"}}}]");
        assertThat(http.get("/topics?prefix=a&after=b&limit=7")
                        .json()
                        .getJSONArray("data")
                        .toString())
                .isEqualTo("[{\"topic\":\"ab\",\"channel\":\"pull\",\"waiting\":7,\"ready\":2,\"taken\":3,\"dead\":4,"
                        + "\"paused\":false}]");
    }

    @Test
    void aTopicThatWaitsForNodesToAgreeSaysWhy() {
        JSONObject topic =
                http.get("/topics?topic=differs").json().getJSONArray("data").getJSONObject(0);
        // The stub pauses each topic, and a pause comes first.
        assertThat(topic.getJSONObject("differs"))
                .containsEntry("node", "b:6355")
                .containsEntry("channel", "pull")
                .containsEntry("reason", "node b:6355 delivers it by pull, this node by rocketmq");
    }

    @Test
    void aSortedListHasStates() {
        JSONObject list =
                http.get("/topics?sort=overdue&prefix=a&after=b&limit=7").json().getJSONObject("data");
        assertThat(list.getJSONArray("items").toString())
                .isEqualTo("[{\"topic\":\"ab\",\"channel\":\"overdue\",\"near\":7,\"ready\":2,\"leased\":7,"
                        + "\"dead\":7,\"oldestOverdueMs\":8,\"paused\":false,\"state\":\"backsOff\","
                        + "\"backsOff\":{\"since\":5,\"tries\":4,\"reason\":\"no route\"},\"trouble\":\"backsOff\"}]");
        assertThat(list)
                .containsEntry("asOf", StubBackend.NOW)
                .containsEntry("total", 10)
                .containsEntry("troubled", 4)
                .containsEntry("complete", true)
                .containsEntry("next", "ab");
        assertThat(http.get("/topics?sort=size").message())
                .isEqualTo("sort must be one of name, overdue, waiting, dead, trouble");
        assertThat(http.get("/topics?sort=trouble&trouble=true").json().getJSONObject("data"))
                .containsEntry("sort", "trouble")
                .containsEntry("total", 4);
        assertThat(http.get("/topics?trouble=true").message())
                .isEqualTo("trouble needs sort: the states of topics are in the sorted list only");
    }

    @Test
    void showsTheFirstMessages() {
        assertThat(http.get("/peek?topic=t").json().getJSONArray("data").toString())
                .isEqualTo("[{\"id\":\"READY-10\",\"bizKey\":\"k\",\"dueTime\":5,\"priority\":1,\"attempts\":2}]");
        assertThat(http.get("/peek?topic=t&state=waiting&limit=3&body=true")
                        .json()
                        .getJSONArray("data")
                        .getJSONObject(0))
                .containsEntry("id", "WAITING-3")
                .containsEntry("body", "b");
    }

    private CompletableFuture<HttpResponse<String>> ask(int count) {
        return http.sendLater(
                http.request("/pull?topic=waits&wait=10s&count=" + count).POST(BodyPublishers.noBody()));
    }
}
