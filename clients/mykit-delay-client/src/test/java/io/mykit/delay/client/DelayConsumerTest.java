package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayConsumerTest {
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final PullStub stub = new PullStub();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);
    private DelayConsumer consumer;

    private final ConsumerListener listener = new ConsumerListener() {
        @Override
        public void pullFailed(Throwable failure) {
            events.add("pull: " + failure.getMessage());
        }

        @Override
        public void pullRecovered() {
            events.add("pull: answered again");
        }

        @Override
        public void handlerFailed(PulledMessage message, Throwable failure) {
            events.add("handler: " + failure.getMessage());
            throw new IllegalStateException("a listener with a defect");
        }

        @Override
        public void notSettled(PulledMessage message, String call, SettleResult result) {
            events.add(call + ": " + result);
        }

        @Override
        public void settleFailed(PulledMessage message, String call, DelayClientException failure) {
            events.add(call + ": " + failure.getMessage());
        }
    };

    @AfterEach
    void close() {
        gate.countDown();
        if (consumer != null) {
            consumer.stop(Duration.ZERO);
        }
        stub.close();
    }

    @Test
    void theHandlerMayReturnAResult() {
        consumer = DelayClient.builder()
                .endpoint(stub.server().url())
                .build()
                .consumer()
                .topics("orders")
                .resultHandler(message -> message.id().equals("none") ? null : Body.of("result of " + message.id()))
                .start();
        stub.due("1", "none");
        await().untilAsserted(() -> assertThat(stub.settled()).containsExactly("ack 1", "ack none"));
        assertThat(stub.settled("ack", "1").text("result")).isEqualTo("result of 1");
        assertThat(stub.settled("ack", "none").get("result")).isNull();
    }

    @Test
    void theEndOfTheHandlerDecides() {
        start(4, message -> {
            switch (message.id()) {
                case "bury" -> throw new RejectMessageException("no such order");
                case "later" -> throw new RetryLaterException(Duration.ofMinutes(5));
                case "nack" -> throw new IllegalStateException("no\nstock!\u0085" + "😀".repeat(300));
                case "error" -> throw new AssertionError("a defect");
                default -> assertThat(message.text()).isEqualTo("body of " + message.id());
            }
        });
        stub.due("ack", "bury", "later", "nack", "error", "last");

        await().untilAsserted(() -> assertThat(stub.settled())
                .containsExactlyInAnyOrder(
                        "ack ack", "bury bury", "nack later", "nack nack", "nack error", "ack last"));
        assertThat(stub.settled("bury", "bury").text("detail")).isEqualTo("no such order");
        JsonObject later = stub.settled("nack", "later");
        assertThat(later.integer("delay")).isEqualTo(300_000);
        assertThat(later.text("detail")).isEqualTo("again in PT5M");
        JsonObject nack = stub.settled("nack", "nack");
        assertThat(nack.get("delay")).isNull();
        assertThat(nack.text("detail")).hasSize(200).matches("java.lang.IllegalStateException: no stock! (😀){78}\\?");
        assertThat(events).hasSize(2).allMatch(event -> event.startsWith("handler: "));
    }

    @Test
    void asManyMessagesArePulledAsHandlersAreFree() {
        AtomicInteger running = new AtomicInteger();
        start(3, message -> {
            running.incrementAndGet();
            gate.await();
            running.decrementAndGet();
        });
        stub.due("1", "2", "3", "4", "5");

        await().until(() -> running.get() == 3);
        assertThat(stub.isHeld("4")).isFalse();
        assertThat(pull(0).integer("count")).isEqualTo(3);
        assertThat(pull(0).integer("ttr")).isEqualTo(60_000);
        gate.countDown();
        await().untilAsserted(() -> assertThat(stub.settled()).hasSize(5));
    }

    @Test
    void aLeaseIsExtendedWhileTheHandlerRuns() {
        consumer =
                builder(message -> gate.await()).ttr(Duration.ofMillis(1_200)).start();
        stub.due("20");

        await().untilAsserted(() -> assertThat(stub.settled()).startsWith("extend 20", "extend 20"));
        assertThat(stub.settled("extend", "20").integer("ttr")).isEqualTo(1_200);
        gate.countDown();
        await().untilAsserted(() -> assertThat(stub.settled()).endsWith("ack 20"));
        assertThat(events).isEmpty();
    }

    @Test
    void theHandlerSeesALostLease() {
        CopyOnWriteArrayList<Boolean> seen = new CopyOnWriteArrayList<>();
        consumer = builder(message -> {
                    seen.add(message.isLeaseLost());
                    stub.lose("20");
                    while (!message.isLeaseLost()) {
                        Thread.onSpinWait();
                    }
                    seen.add(message.isLeaseLost());
                })
                .ttr(Duration.ofMillis(1_200))
                .start();
        stub.due("20");

        await().untilAsserted(() -> assertThat(events).contains("extend: LEASE_LOST", "ack: LEASE_LOST"));
        assertThat(seen).containsExactly(false, true);
    }

    @Test
    void anOutageEndsByItself() {
        stub.server().then(refused(409, "NOT_PULLABLE"), refused(401, "UNAUTHORIZED"), StubServer.lost());
        start(1, message -> {});
        stub.due("20");

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(stub.settled()).containsExactly("ack 20"));
        assertThat(events)
                .containsExactly(
                        "pull: HTTP 409 NOT_PULLABLE: because of NOT_PULLABLE",
                        "pull: HTTP 401 UNAUTHORIZED: because of UNAUTHORIZED (set the token by DelayClient.Builder.token)",
                        "pull: answered again");
    }

    @Test
    void theConsumerHasTheFailureOfItsLatestPull() {
        stub.server().then(refused(409, "NOT_PULLABLE"));
        start(1, message -> {});

        await().untilAsserted(() -> assertThat(consumer.pullFailure())
                .hasValueSatisfying(failure -> assertThat(failure).hasMessageContaining("NOT_PULLABLE")));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(consumer.pullFailure()).isEmpty());
    }

    @Test
    void theEndOfAnOutageIsToldBeforeAMessageComes() {
        stub.server().then(refused(401, "UNAUTHORIZED"));
        consumer = DelayClient.builder()
                .endpoint(stub.server().url())
                .build()
                .consumer()
                .topics("orders")
                .waitFor(Duration.ofMinutes(1))
                .handler(message -> {})
                .listener(listener)
                .start();

        await().atMost(Duration.ofSeconds(20)).until(() -> events.contains("pull: answered again"));
        assertThat(events).hasSize(2);
        // It waits for messages again.
        await().until(() -> stub.server().requests().size() == 3);
        assertThat(stub.server().requests())
                .extracting(request -> request.json().integer("wait"))
                .containsExactly(60_000L, 0L, 60_000L);
    }

    @Test
    void aNodeThatStopsIsLeftAndNotAskedInALoop() {
        try (StubServer stopping = new StubServer(StubServer.ok("[]"))) {
            consumer = DelayClient.builder()
                    .endpoints(stopping.url(), stub.server().url())
                    .build()
                    .consumer()
                    .topics("orders")
                    .handler(message -> {})
                    .start();
            for (int i = 0; i < 3; i++) {
                stub.due("message-" + i);
                String settled = "ack message-" + i;
                await().untilAsserted(() -> assertThat(stub.settled()).contains(settled));
            }
            assertThat(stopping.requests()).hasSizeLessThan(3);
        }
    }

    @Test
    void aConsumerDoesNotSpinWhileAllNodesStop() {
        try (StubServer stopping = new StubServer(StubServer.ok("[]"))) {
            consumer = DelayClient.builder()
                    .endpoint(stopping.url())
                    .build()
                    .consumer()
                    .topics("orders")
                    .handler(message -> {})
                    .start();
            long begin = System.nanoTime();
            await().until(() -> stopping.requests().size() >= 4);
            // The first pause is after the second request.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(500));
        }
    }

    @Test
    void aStopCutsTheWaitingPull() {
        start(1, message -> {});
        await().until(() -> stub.pulls() == 1);

        assertThat(consumer.stop(GRACE)).isTrue();
        assertThat(consumer.stop(GRACE)).isTrue();
        consumer.close();
        assertThat(stub.pulls()).isEqualTo(1);
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void aStopLetsHandlersEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        start(2, message -> {
            begun.countDown();
            gate.await();
        });
        stub.due("1", "2");
        await().until(() -> begun.getCount() == 0);
        Thread stopping = new Thread(() -> events.add("in time: " + consumer.stop(GRACE)));
        stopping.start();
        // It waits for the handlers.
        await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
        stub.due("3");
        gate.countDown();
        stopping.join();

        assertThat(events).containsExactly("in time: true");
        assertThat(stub.settled()).containsExactlyInAnyOrder("ack 1", "ack 2");
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    @Test
    void aStopGivesBackMessagesOfHandlersThatDoNotEnd() {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch interrupted = new CountDownLatch(1);
        start(2, message -> {
            begun.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        });
        stub.due("1", "2");
        // A stop before that gives a message back without its handler.
        await().until(() -> begun.getCount() == 0);

        assertThat(consumer.stop(Duration.ofMillis(50))).isFalse();

        assertThat(stub.settled()).containsExactlyInAnyOrder("release 1", "release 2");
        await().until(() -> interrupted.getCount() == 0);
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
        assertThat(stub.settled()).hasSize(2);
        assertThat(events).isEmpty();
    }

    @Test
    void aConsumerNeedsATopicAndAHandler() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client().consumer().handler(message -> {}).start());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder(message -> {}).concurrency(0).start());
    }

    private void start(int concurrency, MessageHandler handler) {
        consumer = builder(handler).concurrency(concurrency).start();
    }

    private DelayConsumer.Builder builder(MessageHandler handler) {
        return client().consumer().topics("orders").handler(handler).listener(listener);
    }

    private DelayClient client() {
        return DelayClient.builder().endpoint(stub.server().url()).build();
    }

    private JsonObject pull(int index) {
        return stub.server().requests().stream()
                .filter(request -> request.uri().equals("/pull"))
                .toList()
                .get(index)
                .json();
    }

    /** The threads of consumers that live. */
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("mykit-delay-"))
                .toList();
    }
}
