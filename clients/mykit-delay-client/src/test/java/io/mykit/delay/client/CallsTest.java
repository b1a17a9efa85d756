package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.ok;
import static io.mykit.delay.client.StubServer.raw;
import static io.mykit.delay.client.StubServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the calls send, and what they read. */
@Timeout(30)
class CallsTest {
    private final StubServer server = StubServer.accepting();
    private final DelayClient client = DelayClient.builder()
            .endpoint(server.url())
            .retryFor(Duration.ofSeconds(5))
            .build();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"409, ALREADY_DISPATCHED", "409, ALREADY_FINISHED", "404, NOT_FOUND"})
    void theOutcomesOfACancelAreValues(int status, String error) {
        server.then(refused(status, error));
        assertThat(client.cancel("20")).isEqualTo(CancelResult.valueOf(error));
    }

    @Test
    void aCancelTellsOfAnEarlierAttempt() {
        server.then(ok("\"20\",\"attempted\":true"));
        assertThat(client.cancel("20")).isEqualTo(CancelResult.CANCELLED_AFTER_ATTEMPT);
        assertThat(CancelResult.CANCELLED_AFTER_ATTEMPT.isCancelled()).isTrue();
    }

    @Test
    void aClientLearnsItsNamespaceAndItsRoles() {
        server.then(ok("""
            {"role":"PRODUCER","name":"token 7XK2M9QFA3BT of shop","tokensConfigured":true,"roles":["producer","consumer"],
             "namespace":"shop","tokenId":"7XK2M9QFA3BT","expires":1800000000000,"pushes":true,"later":{},
             "limits":{"pushRate":50,"pullRate":null,"namespacePushRate":200,"namespacePullRate":null,"maxDelay":86400000,
              "maxBody":65536,"maxTopics":20}}"""));
        Caller caller = client.whoami();
        assertThat(caller)
                .isEqualTo(new Caller(
                        "token 7XK2M9QFA3BT of shop",
                        "shop",
                        List.of("producer", "consumer"),
                        Optional.of("7XK2M9QFA3BT"),
                        Optional.of(Instant.ofEpochMilli(1_800_000_000_000L)),
                        new CallerLimits(
                                Optional.of(50L),
                                Optional.empty(),
                                Optional.of(200L),
                                Optional.empty(),
                                Optional.of(Duration.ofDays(1)),
                                Optional.of(65_536L),
                                Optional.of(20L))));
        assertThat(caller.isConfined()).isTrue();
        server.then(ok("{\"name\":\"anonymous\",\"roles\":[],\"namespace\":\"*\",\"tokenId\":null,\"expires\":null}"));
        Caller nobody = client.whoami();
        assertThat(nobody.isConfined()).isFalse();
        assertThat(nobody.limits().pushRate()).isEmpty();
        assertThat(server.requests().get(0).uri()).isEqualTo("/whoami");
    }

    @Test
    void aMessageIsMoved() {
        server.then(ok("{\"id\":\"20\",\"dueTime\":1}"));
        assertThat(client.reschedule("20", Duration.ofMinutes(15))).isEqualTo(RescheduleResult.RESCHEDULED);
        assertThat(server.requests().get(0).json().integer("delay")).isEqualTo(900_000);
        server.then(refused(409, "ALREADY_DISPATCHED"));
        assertThat(client.reschedule("20", Instant.ofEpochMilli(1_800_000_000_000L)))
                .isEqualTo(RescheduleResult.ALREADY_DISPATCHED);
        assertThat(server.requests().get(1).json().integer("triggerAt")).isEqualTo(1_800_000_000_000L);
    }

    @Test
    void aMessageIsFound() {
        server.then(ok("""
            {"id":"a/20","topic":"orders","subtopic":"tag","bizKey":"key","bodyBase64":"/wA=","delay":60000,
             "createTime":1800000000000,"dueTime":1800000060000,"nextAttempt":1800000065000,"priority":3,"ttl":60,
             "headers":{"tenant":"shop"},"retry":{"gaps":[5000]},"target":{"url":"https://a"},
             "status":1,"statusName":"DELAY","attempts":1,"updateTime":1800000060001,
             "flow":[{"from":null,"to":1,"fromName":null,"toName":"DELAY","time":1800000000000,"thread":"t","host":"h",
                      "attempt":0,"detail":null},
                     {"from":1,"to":9,"fromName":"DELAY","toName":"NEWER","time":1800000060000,"thread":"t","host":"h",
                      "attempt":1,"detail":"HTTP 503"}],
             "flowComplete":true,"channel":"webhook","bucket":7,"requestId":"r-1","somethingNew":{"a":1}}
            """));

        MessageView view = client.find("a/20").orElseThrow();

        assertThat(server.requests().get(0).uri()).isEqualTo("/job/a%2F20");
        assertThat(view)
                .usingRecursiveComparison()
                .ignoringFields("body")
                .isEqualTo(new MessageView(
                        "a/20",
                        "orders",
                        "tag",
                        "key",
                        null,
                        Map.of("tenant", "shop"),
                        Map.of("url", "https://a"),
                        Instant.ofEpochSecond(1_800_000_000),
                        Instant.ofEpochSecond(1_800_000_060),
                        Optional.of(Instant.ofEpochSecond(1_800_000_065)),
                        3,
                        Duration.ofMinutes(1),
                        MessageStatus.DELAY,
                        1,
                        Optional.empty(),
                        List.of(
                                new MessageView.Move(
                                        Optional.empty(),
                                        MessageStatus.DELAY,
                                        Instant.ofEpochSecond(1_800_000_000),
                                        0,
                                        ""),
                                new MessageView.Move(
                                        Optional.of(MessageStatus.DELAY),
                                        MessageStatus.UNKNOWN,
                                        Instant.ofEpochSecond(1_800_000_060),
                                        1,
                                        "HTTP 503")),
                        true,
                        Optional.of("webhook"),
                        OptionalInt.of(7),
                        Optional.of("r-1")));
        assertThat(view.body().isBinary()).isTrue();
        assertThat(view.body().bytes()).containsExactly(0xff, 0);
        assertThat(view.toString()).contains("2 bytes");
    }

    @Test
    void aPushThatWaitsBringsTheOutcome() {
        String job =
                "{\"id\":\"20\",\"topic\":\"t\",\"createTime\":1,\"dueTime\":1,\"statusName\":\"FINISH\",\"flow\":[],"
                        + "\"flowComplete\":true,\"result\":\"seven\"}";
        server.then(
                raw(200, "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\",\"job\":" + job + "}"),
                raw(200, "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\",\"job\":null}"),
                ok(job.replace("\"result\":\"seven\"", "\"resultBase64\":\"/wA=\"")),
                refused(429, "BUSY"),
                refused(404, "NOT_FOUND"));
        Message message = Message.builder("t").id("20").build();

        PushResult result = client.push(message, Duration.ofSeconds(30));
        assertThat(result.orThrow()).isEqualTo("20");
        assertThat(result.job().orElseThrow().status()).isEqualTo(MessageStatus.FINISH);
        assertThat(result.job().orElseThrow().result().orElseThrow().text()).isEqualTo("seven");
        assertThat(client.push(message, Duration.ofSeconds(30)).job()).isEmpty();
        Body bytes =
                client.find("20", Duration.ofSeconds(1)).orElseThrow().result().orElseThrow();
        assertThat(bytes.bytes()).containsExactly(0xff, 0);
        assertThat(client.find("a/20", Duration.ofSeconds(1))).isEmpty();

        assertThat(server.requests().get(0).body()).isEqualTo("{\"topic\":\"t\",\"id\":\"20\",\"wait\":30000}");
        assertThat(server.requests().get(2).uri()).isEqualTo("/job/20?wait=1000");
        assertThat(server.requests().get(4).uri()).isEqualTo("/job/a%2F20?wait=1000");
    }

    @Test
    void aRepeatedPushTellsTheStatusOfItsMessage() {
        String repeated = "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"20\",\"status\":\"%s\"}";
        String first = "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"21\"}";
        server.then(
                raw(200, repeated.formatted("FINISH")),
                raw(200, first),
                raw(200, repeated.formatted("later")),
                ok("[" + first + "," + repeated.formatted("DELAY") + "]"));
        Message message = Message.builder("t").id("20").build();
        assertThat(client.push(message, Duration.ZERO).status()).contains(MessageStatus.FINISH);
        assertThat(client.push(message, Duration.ZERO).status()).isEmpty();
        assertThat(client.push(message, Duration.ZERO).status()).contains(MessageStatus.UNKNOWN);
        assertThat(client.pushAll(messages(2)))
                .extracting(PushResult::status)
                .containsExactly(Optional.empty(), Optional.of(MessageStatus.DELAY));
    }

    @Test
    void anUnknownMessageIsNotFound() {
        server.then(refused(404, "NOT_FOUND"));
        assertThat(client.find("20")).isEmpty();
        server.then(raw(404, "nginx"));
        assertThatExceptionOfType(DelayRequestException.class).isThrownBy(() -> client.find("20"));
    }

    @Test
    void aBatchHasOneResultForEachMessage() {
        List<Message> messages = messages(4);
        String accepted = "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"x\"}";
        String conflict = StubServer.envelope(409, "ID_CONFLICT");
        String busy = StubServer.envelope(429, "BUSY");
        String unknown = StubServer.envelope(503, "OUTCOME_UNKNOWN");
        server.then(
                ok("[" + accepted + "," + conflict + "," + busy + "," + unknown + "]"),
                ok("[" + accepted + "," + unknown + "]"),
                ok("[" + accepted + "]"));

        List<PushResult> results = client.pushAll(messages);

        assertThat(results).extracting(PushResult::id).isEqualTo(ids(messages));
        assertThat(results).extracting(PushResult::isAccepted).containsExactly(true, false, true, true);
        assertThat(results.get(0).orThrow()).isEqualTo(messages.get(0).id());
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> results.get(1).orThrow())
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("ID_CONFLICT"));
        assertThat(server.requests())
                .extracting(request -> ids(request.body()))
                .containsExactly(ids(messages), ids(messages.subList(2, 4)), ids(messages.subList(3, 4)));
    }

    @Test
    void aBatchEndsWithTheTimeForTries() {
        DelayClient once = DelayClient.builder()
                .endpoint(server.url())
                .retryFor(Duration.ZERO)
                .build();
        server.then(ok("[" + StubServer.envelope(503, "OUTCOME_UNKNOWN") + "]"));

        assertThat(once.pushAll(messages(1)).get(0).failure()).hasValueSatisfying(failure -> {
            assertThat(failure).isInstanceOf(DelayUnavailableException.class).hasMessageContaining("OUTCOME_UNKNOWN");
            assertThat(failure.isInDoubt()).isTrue();
        });
    }

    @Test
    void manyMessagesGoInSeveralRequests() {
        try (StubServer counting = new StubServer((exchange, request) -> {
            String item = "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":\"x\"}";
            int items = ids(request.body()).size();
            ok(IntStream.range(0, items).mapToObj(i -> item).collect(Collectors.joining(",", "[", "]")))
                    .to(exchange, request);
        })) {
            DelayClient many = DelayClient.builder().endpoint(counting.url()).build();
            List<Message> messages = messages(1201);
            assertThat(many.pushAll(messages)).hasSize(1201).allMatch(PushResult::isAccepted);
            assertThat(counting.requests())
                    .extracting(request -> ids(request.body()).size())
                    .containsExactly(500, 500, 201);

            List<Message> large = IntStream.range(0, 3)
                    .mapToObj(i ->
                            Message.builder("orders").body("x".repeat(600_000)).build())
                    .toList();
            assertThat(many.pushAll(large)).allMatch(PushResult::isAccepted);
            assertThat(counting.requests()).hasSize(6);
            assertThat(many.pushAll(List.of())).isEmpty();
        }
    }

    @Test
    void aBatchWhoseRequestIsRefusedThrows() {
        server.then(refused(401, "UNAUTHORIZED"));
        assertThatExceptionOfType(DelayRequestException.class).isThrownBy(() -> client.pushAll(messages(2)));
        server.then(ok("[]"));
        assertThatExceptionOfType(DelayUnavailableException.class)
                .isThrownBy(() -> client.pushAll(messages(2)))
                .withMessageContaining("0 results for 2 messages");
    }

    @Test
    void deadLettersAreListed() {
        server.then(
                ok("[{\"topic\":\"a/b\",\"count\":2,\"oldest\":1800000000000,\"newest\":1800000001000}]"),
                ok(
                        "{\"items\":[{\"id\":\"20\",\"topic\":\"a/b\",\"bizKey\":\"\",\"attempts\":16,\"reason\":\"ATTEMPTS\",\"detail\":\"HTTP"
                                + " 503\",\"dueTime\":1800000000000,\"deadTime\":1800000001000}],\"next\":\"c-1\"}"),
                ok("{\"items\":[],\"next\":null}"));

        assertThat(client.dead().topics("a/"))
                .containsExactly(new DeadTopic(
                        "a/b", 2, Instant.ofEpochSecond(1_800_000_000), Instant.ofEpochSecond(1_800_000_001)));
        DeadPage page = client.dead()
                .list(DeadOrder.topic("a/b")
                        .since(Instant.ofEpochSecond(1_800_000_000))
                        .until(Instant.ofEpochSecond(1_900_000_000))
                        .reason("ATTEMPTS")
                        .limit(1));
        assertThat(page.letters())
                .extracting(DeadLetter::id, DeadLetter::detail)
                .containsExactly(tuple("20", "HTTP 503"));
        assertThat(page.next()).contains("c-1");
        assertThat(client.dead().list(DeadOrder.topic("a/b").after("c-1")).next())
                .isEmpty();
        assertThat(server.requests())
                .extracting(StubServer.Received::uri)
                .containsExactly(
                        "/dead?limit=1000&prefix=a%2F",
                        "/dead?topic=a%2Fb&since=1800000000000&until=1900000000000&reason=ATTEMPTS&limit=1",
                        "/dead?topic=a%2Fb&after=c-1");
    }

    @Test
    void deadLettersAreRespawnedAndDiscarded() {
        server.then(
                ok("{\"matched\":3,\"respawned\":2,\"milliseconds\":15,\"stopped\":true}"),
                ok("{\"matched\":3,\"discarded\":0,\"milliseconds\":1,\"dryRun\":true}"),
                ok("\"20\""),
                refused(404, "NOT_FOUND"));

        assertThat(client.dead()
                        .respawn(DeadOrder.topic("orders").perSecond(200).delay(Duration.ofSeconds(5))))
                .isEqualTo(new DeadReport(3, 2, Duration.ofMillis(15), true));
        assertThat(client.dead().discard(DeadOrder.prefix("a/").dryRun()))
                .isEqualTo(new DeadReport(3, 0, Duration.ofMillis(1), false));
        assertThat(client.dead().respawn("20")).isTrue();
        assertThat(client.dead().discard("20")).isFalse();
        assertThat(server.requests())
                .extracting(request -> request.uri() + " " + request.body())
                .containsExactly(
                        "/dead/respawn {\"topic\":\"orders\",\"perSecond\":200,\"delay\":5000}",
                        "/dead/discard {\"prefix\":\"a/\",\"dryRun\":true}",
                        "/dead/respawn {\"jobId\":\"20\"}",
                        "/dead/discard {\"jobId\":\"20\"}");
    }

    @Test
    void topicsAreShown() {
        String fields = "\"channel\":\"pull\",\"waiting\":1,\"ready\":2,\"taken\":3,\"dead\":4";
        server.then(
                ok("[{\"topic\":\"a/b\"," + fields + ",\"paused\":true,\"pausedUntil\":1800000000000}]"),
                ok("[{\"topic\":\"a/b\"," + fields
                        + ",\"paused\":false,\"pausedUntil\":null,\"oldestReady\":1800000000000}]"));
        Optional<Instant> time = Optional.of(Instant.ofEpochSecond(1_800_000_000));
        assertThat(client.topics().list("a/"))
                .containsExactly(new TopicView("a/b", "pull", 1, 2, 3, 4, Optional.empty(), true, time));
        assertThat(client.topics().find("a/b"))
                .isEqualTo(new TopicView("a/b", "pull", 1, 2, 3, 4, time, false, Optional.empty()));
        assertThat(server.requests())
                .extracting(StubServer.Received::uri)
                .containsExactly("/topics?limit=1000&prefix=a%2F", "/topics?topic=a%2Fb");
    }

    @Test
    void topicsArePausedResumedAndCleared() {
        server.then(
                ok("{\"topic\":\"orders\",\"paused\":true,\"pausedUntil\":null}"),
                ok("{\"topic\":\"orders\",\"paused\":true,\"pausedUntil\":1800000000000}"),
                ok("{\"topic\":\"orders\",\"paused\":false,\"pausedUntil\":null}"),
                ok("{\"rows\":7,\"milliseconds\":15,\"dryRun\":true}"),
                ok("{\"rows\":3,\"milliseconds\":15,\"stopped\":true,\"unreachable\":2}"));

        client.topics().pause("orders");
        assertThat(client.topics().pause("orders", Duration.ofMinutes(5)))
                .isEqualTo(Instant.ofEpochSecond(1_800_000_000));
        client.topics().resume("orders");
        assertThat(client.topics().clear(ClearOrder.ready("orders").dryRun()))
                .isEqualTo(new ClearReport(7, Duration.ofMillis(15), false, 0));
        assertThat(client.topics().clear(ClearOrder.all("orders")))
                .isEqualTo(new ClearReport(3, Duration.ofMillis(15), true, 2));
        assertThat(server.requests())
                .extracting(request -> request.uri() + " " + request.body())
                .containsExactly(
                        "/topics/pause {\"topic\":\"orders\"}",
                        "/topics/pause {\"topic\":\"orders\",\"for\":300000}",
                        "/topics/resume {\"topic\":\"orders\"}",
                        "/topics/clear {\"topic\":\"orders\",\"state\":\"ready\",\"dryRun\":true,\"wait\":3600000}",
                        "/topics/clear {\"topic\":\"orders\",\"state\":\"all\",\"wait\":3600000}");
    }

    private static List<Message> messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Message.builder("orders").body("order " + i).build())
                .toList();
    }

    private static List<String> ids(List<Message> messages) {
        return messages.stream().map(Message::id).toList();
    }

    /** The ids of a batch as it was sent. */
    private static List<String> ids(String batch) {
        return JsonObject.list(JsonReader.read(batch.getBytes(StandardCharsets.UTF_8))).stream()
                .map(item -> JsonObject.of(item).text("id"))
                .toList();
    }
}
