package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.client.RetryLaterException;
import io.mykit.delay.spring.example.CloseOrder;
import io.mykit.delay.spring.listener.Listeners;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;

@Timeout(60)
class DelayedListenerTest {
    private final DelayServerStub server = new DelayServerStub();
    private final ApplicationContextRunner application = Contexts.of(server);

    @AfterEach
    void close() {
        server.close();
    }

    record Order(int number, List<String> items) {}

    static class Parameters {
        private final List<Object> got = new CopyOnWriteArrayList<>();

        @DelayedListener(topic = "texts")
        void text(String body) {
            got.add(body);
        }

        @DelayedListener(topic = "bytes")
        void bytes(byte[] body) {
            got.add(body.length);
        }

        @DelayedListener(topic = "orders")
        void order(Order order) {
            got.add(order);
        }

        @DelayedListener(topic = "lists")
        void orders(List<Order> orders) {
            got.add(orders.get(0));
        }

        @DelayedListener(topic = "headers")
        void headers(
                @DelayedHeader("attempt") int attempt,
                @DelayedHeader("bizKey") String bizKey,
                @DelayedHeader("dueTime") Instant dueTime,
                DelayedMessage message,
                @DelayedHeader("tenant") long tenant,
                @DelayedHeader("none") String none,
                @DelayedHeader("none") Optional<String> empty) {
            got.addAll(List.of(attempt, bizKey, dueTime, message.id(), message.maxAttempts(), tenant));
            got.addAll(List.of(none == null, empty));
        }
    }

    @Test
    void aParameterGetsItsPartOfTheMessage() {
        application.withBean(Parameters.class).run(context -> {
            List<Object> got = context.getBean(Parameters.class).got;
            server.due("texts", "1", "{\"a\"");
            await().untilAsserted(() -> assertThat(got).containsExactly("{\"a\""));
            server.due("bytes", "2", "größe");
            await().untilAsserted(() -> assertThat(got).endsWith(7));
            server.due("orders", "3", "{\"number\":7,\"items\":[\"tea\"]}");
            await().untilAsserted(() -> assertThat(got).endsWith(new Order(7, List.of("tea"))));
            server.due("lists", "4", "[{\"number\":8,\"items\":[]}]");
            await().untilAsserted(() -> assertThat(got).endsWith(new Order(8, List.of())));
            got.clear();
            server.due("headers", "5", "", Map.of("tenant", "42"));
            await().untilAsserted(() -> assertThat(got)
                    .containsExactly(
                            2, "key", Instant.ofEpochSecond(1_800_000_000), "5", 16, 42L, true, Optional.empty()));
            await().untilAsserted(() -> assertThat(server.settled()).contains("ack 5"));
        });
    }

    static class Outcomes {
        @DelayedListener(topic = "${orders.topic}", concurrency = 3, ttr = "${orders.ttr}")
        void handle(String body) throws Exception {
            switch (body) {
                case "reject" -> throw new RejectMessageException("no such order");
                case "later" -> throw new RetryLaterException(Duration.ofMinutes(5));
                case "fail" -> throw new Exception("no stock");
                default -> assertThat(body).isEqualTo("fine");
            }
        }
    }

    @Test
    void theEndOfTheMethodDecides() {
        application
                .withBean(Outcomes.class)
                .withPropertyValues("orders.topic=orders", "orders.ttr=90s")
                .run(context -> {
                    for (String body : List.of("fine", "reject", "later", "fail")) {
                        server.due("orders", body, body);
                    }
                    await().untilAsserted(() -> assertThat(server.settled())
                            .containsExactlyInAnyOrder("ack fine", "bury reject", "nack later", "nack fail"));
                    assertThat(server.settled("bury", "reject").text("detail")).isEqualTo("no such order");
                    assertThat(server.settled("nack", "later").integer("delay")).isEqualTo(300_000);
                    assertThat(server.settled("nack", "fail").text("detail"))
                            .isEqualTo("java.lang.Exception: no stock");
                    assertThat(server.settled("nack", "fail").get("delay")).isNull();
                    assertThat(server.pulls().get(0).integer("ttr")).isEqualTo(90_000);
                    assertThat(server.pulls().get(0).integer("count")).isEqualTo(3);
                });
    }

    static class Results {
        @DelayedListener(topic = "texts")
        String text(String body) {
            return body.isEmpty() ? null : "got " + body;
        }

        @DelayedListener(topic = "bytes")
        byte[] bytes() {
            return new byte[] {-1, 0};
        }

        @DelayedListener(topic = "orders")
        Order order() {
            return new Order(7, List.of("tea"));
        }
    }

    @Test
    void whatTheMethodReturnsIsTheResult() {
        application.withBean(Results.class).run(context -> {
            server.due("texts", "1", "tea");
            server.due("bytes", "2", "");
            server.due("orders", "3", "");
            await().untilAsserted(
                            () -> assertThat(server.settled()).containsExactlyInAnyOrder("ack 1", "ack 2", "ack 3"));
            assertThat(server.settled("ack", "1").text("result")).isEqualTo("got tea");
            assertThat(server.settled("ack", "2").text("resultBase64")).isEqualTo("/wA=");
            assertThat(server.settled("ack", "3").text("result")).isEqualTo("{\"number\":7,\"items\":[\"tea\"]}");
            server.due("texts", "4", "");
            await().untilAsserted(() -> assertThat(server.settled()).contains("ack 4"));
            assertThat(server.settled("ack", "4").get("result")).isNull();
        });
    }

    @Test
    void aBodyThatIsNotOfTheTypeIsADeadLetterAtOnce() {
        application.withBean(Parameters.class).run(context -> {
            server.due("orders", "1", "no json");
            server.due("orders", "2", "{\"number\":\"seven\"}");
            server.due("lists", "3", "{}");
            await().untilAsserted(
                            () -> assertThat(server.settled()).containsExactlyInAnyOrder("bury 1", "bury 2", "bury 3"));
            assertThat(server.settled("bury", "1").text("detail"))
                    .startsWith("the body is not " + Order.class.getName() + ": Unrecognized token 'no'");
            assertThat(server.settled("bury", "2").text("detail")).contains("seven");
            assertThat(context.getBean(Parameters.class).got).isEmpty();
        });
    }

    @Test
    void aBodyThatIsNotOfTheTypeMayBeAFailedAttempt() {
        application
                .withBean(Parameters.class)
                .withPropertyValues("mykit.delay.client.listener.unreadable-body=retry")
                .run(context -> {
                    server.due("orders", "1", "no json");
                    await().untilAsserted(() -> assertThat(server.settled()).containsExactly("nack 1"));
                });
    }

    interface NotAPayload {}

    static class Defective {
        @DelayedListener(topic = "orders")
        void handle(NotAPayload body) {}
    }

    /** The next version of the application may read the same body. */
    @Test
    void aTypeThatIsNoPayloadIsAFailedAttempt() {
        application.withBean(Defective.class).run(context -> {
            server.due("orders", "1", "{}");
            await().untilAsserted(() -> assertThat(server.settled()).containsExactly("nack 1"));
        });
    }

    static class Slow {
        private static CountDownLatch begun;
        private static CountDownLatch gate;

        @DelayedListener(topic = "orders")
        void handle(String body) throws InterruptedException {
            begun.countDown();
            gate.await();
        }

        static void reset() {
            begun = new CountDownLatch(1);
            gate = new CountDownLatch(1);
        }
    }

    @Test
    void aStopWaitsForTheMethodsThatRun() {
        Slow.reset();
        application.withBean(Slow.class).run(context -> {
            server.due("orders", "1", "");
            Slow.begun.await();
            Thread stop = new Thread(context.getBean(Listeners.class)::stop);
            stop.start();
            assertThat(server.settled()).isEmpty();
            Slow.gate.countDown();
            stop.join();
            assertThat(server.settled()).containsExactly("ack 1");
            assertThat(context.getBean(Listeners.class).isRunning()).isFalse();
        });
    }

    @Test
    void afterTheGraceAMessageIsGivenBack() {
        Slow.reset();
        application
                .withBean(Slow.class)
                .withPropertyValues("mykit.delay.client.grace=0s")
                .run(context -> {
                    server.due("orders", "1", "");
                    Slow.begun.await();
                });
        assertThat(server.settled()).containsExactly("release 1");
    }

    @Test
    void listenersMayBeStartedAgain() {
        application.withBean(Parameters.class).run(context -> {
            Listeners listeners = context.getBean(Listeners.class);
            await().until(() -> server.pulls("texts") == 1);
            listeners.stop();
            listeners.start();
            await().until(() -> server.pulls("texts") == 2);
            server.due("texts", "1", "again");
            await().untilAsserted(() -> assertThat(server.settled()).contains("ack 1"));
        });
    }

    @Lazy
    static class LazyListener extends Parameters {}

    @Test
    void aLazyBeanIsMadeForItsFirstMessage() {
        application.withBean(LazyListener.class).run(context -> {
            server.due("texts", "1", "lazy");
            await().untilAsserted(() -> assertThat(server.settled()).contains("ack 1"));
        });
    }

    @Test
    void withoutListenersTheApplicationOnlySends() {
        application
                .withBean(Parameters.class)
                .withPropertyValues("mykit.delay.client.listener.enabled=false")
                .run(context ->
                        assertThat(context).hasSingleBean(DelayTemplate.class).doesNotHaveBean(Listeners.class));
    }

    static class Worker implements TaskWorker {
        private final List<String> got = new CopyOnWriteArrayList<>();

        @Override
        public void invoke(String params) {
            got.add(params);
        }

        @Override
        public String type() {
            return "close-order";
        }

        @Override
        public Class<?> clazz() {
            return Worker.class;
        }
    }

    @Test
    void aTaskWorkerListensToTheTopicOfItsApplicationAndType() {
        application
                .withBean(Worker.class)
                .withPropertyValues("spring.application.name=shop")
                .run(context -> {
                    server.due("shop/close-order", "1", "4711");
                    await().untilAsserted(() -> assertThat(server.settled()).contains("ack 1"));
                    assertThat(context.getBean(Worker.class).got).containsExactly("4711");
                });
    }

    @Test
    void theTaskWorkerOnThePageRuns() {
        application
                .withBean(CloseOrder.class)
                .withPropertyValues("spring.application.name=shop")
                .run(context -> {
                    server.due("shop/close-order", "1", "4711");
                    await().untilAsserted(() -> assertThat(server.settled()).contains("ack 1"));
                });
    }

    @Test
    void aTaskWorkerNeedsTheNameOfItsApplication() {
        application
                .withBean(Worker.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("spring.application.name"));
    }

    static class TwoBodies {
        @DelayedListener(topic = "orders")
        void handle(String body, Order order) {}
    }

    static class Later {
        @DelayedListener(topic = "orders")
        CompletableFuture<String> handle() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class SameTopic {
        @DelayedListener(topic = "texts")
        void handle() {}
    }

    static class Pushed {
        @DelayedListener(topic = "texts", mode = Mode.PUSH)
        void handle() {}
    }

    @Test
    void anApplicationThatCannotListenDoesNotStart() {
        application
                .withBean(TwoBodies.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("one parameter for the body"));
        application
                .withBean(Later.class)
                .run(context -> assertThat(context).getFailure().hasMessageContaining("and no future"));
        application.withBean(Parameters.class).withBean(SameTopic.class).run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining("The topic texts has two listeners"));
        application.withBean(Pushed.class).run(context -> assertThat(context)
                .getFailure()
                .hasMessageContaining("mykit.delay.client.callback.secret"));
    }
}
