package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.DelayUnavailableException;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.spring.example.Payments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The template in transactions of a database. */
@Timeout(60)
class TransactionTest {
    private static final Duration DELAY = Duration.ofMinutes(30);

    private final DelayServerStub server = new DelayServerStub();
    private DelayTemplate template;
    private final LogLines log = new LogLines();
    private PlatformTransactionManager manager;
    private JdbcTemplate rows;
    private Payments payments;

    @AfterEach
    void close() {
        log.close();
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Database {
        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        PlatformTransactionManager transactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate rows(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }
    }

    /** Runs with an application. */
    private void run(Runnable test) {
        Contexts.of(server)
                .withUserConfiguration(Database.class)
                .withBean(Payments.class)
                .run(context -> {
                    payments = context.getBean(Payments.class);
                    template = context.getBean(DelayTemplate.class);
                    manager = context.getBean(PlatformTransactionManager.class);
                    rows = context.getBean(JdbcTemplate.class);
                    test.run();
                });
    }

    private void transaction(Consumer<TransactionStatus> work) {
        transaction(PROPAGATION_REQUIRED, work);
    }

    private void transaction(int propagation, Consumer<TransactionStatus> work) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        transaction.setPropagationBehavior(propagation);
        transaction.executeWithoutResult(work);
    }

    @Test
    void theExampleOnThePageRuns() {
        run(() -> {
            rows.execute("CREATE TABLE orders (number VARCHAR(20), state VARCHAR(20))");
            payments.order("7");
            payments.giveMoreTime("7");
            payments.pay("7");
            assertThat(rows.queryForList("SELECT state FROM orders", String.class))
                    .containsExactly("PAID");
            assertThat(server.calls())
                    .containsExactly("/push", "/reschedule orders-expiry-7", "/delete orders-expiry-7");
        });
    }

    private List<String> pushed() {
        return server.pushed().stream().map(message -> message.text("body")).toList();
    }

    @Test
    void messagesGoTogetherAfterTheCommit() {
        run(() -> {
            List<String> ids = new ArrayList<>();
            transaction(status -> {
                ids.add(template.send("orders", "one", DELAY));
                ids.add(template.send("orders", "two", DELAY));
                assertThat(server.calls()).isEmpty();
            });
            assertThat(server.calls()).containsExactly("/push/batch");
            assertThat(server.pushed())
                    .extracting(message -> message.text("id"))
                    .containsExactlyElementsOf(ids);
        });
    }

    @Test
    void otherCallsHaveTheirResultsAfterTheCommit() {
        run(() -> {
            List<CompletableFuture<?>> results = new ArrayList<>();
            transaction(status -> {
                results.add(template.cancel("order-1").toCompletableFuture());
                results.add(template.reschedule("order-2", DELAY).toCompletableFuture());
                assertThat(results).noneMatch(CompletableFuture::isDone);
                assertThat(server.calls()).isEmpty();
            });
            assertThat(server.calls()).containsExactly("/delete order-1", "/reschedule order-2");
            assertThat(results.get(0).join()).isEqualTo(CancelResult.CANCELLED);
            assertThat(results.get(1).join()).isEqualTo(RescheduleResult.RESCHEDULED);
        });
    }

    @Test
    void aRollbackTakesTheCallsWithTheRows() {
        run(() -> {
            rows.execute("CREATE TABLE payment (number INT)");
            List<CompletionStage<?>> results = new ArrayList<>();
            transaction(status -> {
                rows.update("INSERT INTO payment VALUES (7)");
                results.add(template.cancel("order-7"));
                results.add(template.reschedule("order-8", DELAY));
                template.send("orders", "one", DELAY);
                status.setRollbackOnly();
            });
            assertThat(rows.queryForObject("SELECT COUNT(*) FROM payment", Integer.class))
                    .isZero();
            assertThat(server.calls()).isEmpty();
            assertThat(results).allSatisfy(result -> assertCancelled(result, "a rollback"));
        });
    }

    private static void assertCancelled(CompletionStage<?> result, String why) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        result.whenComplete((value, thrown) -> failure.set(thrown));
        assertThat(failure.get()).isInstanceOf(CancellationException.class).hasMessage("not called because of " + why);
    }

    @Test
    void aCancelTakesBackTheSendOfItsTransaction() {
        run(() -> {
            List<CompletionStage<CancelResult>> results = new ArrayList<>();
            transaction(status -> {
                String id = template.send("orders", "one", DELAY);
                template.send("orders", "other", DELAY);
                results.add(template.cancel(id));
            });
            assertThat(pushed()).containsExactly("other");
            assertThat(server.calls()).containsExactly("/push");
            assertThat(results.get(0)).isCompletedWithValue(CancelResult.CANCELLED);
        });
    }

    @Test
    void aCancelOfAnIdOfOnesOwnReachesAnEarlierMessageToo() {
        run(() -> {
            server.refuse("/delete", "NOT_FOUND");
            List<CompletionStage<CancelResult>> results = new ArrayList<>();
            transaction(status -> {
                template.send(
                        "orders", "one", DELAY, message -> message.id("order-7").replace());
                results.add(template.cancel("order-7"));
                results.add(template.cancel("order-8"));
            });
            assertThat(server.calls()).containsExactly("/delete order-7", "/delete order-8");
            // The send was taken back, so there was a message; of the other id there was none.
            assertThat(results.get(0)).isCompletedWithValue(CancelResult.CANCELLED);
            assertThat(results.get(1)).isCompletedWithValue(CancelResult.NOT_FOUND);
        });
    }

    @Test
    void aRescheduleChangesTheSendOfItsTransaction() {
        run(() -> {
            List<CompletionStage<RescheduleResult>> results = new ArrayList<>();
            transaction(status -> {
                String first = template.send("orders", "one", DELAY);
                String second = template.send(
                        "orders", "two", DELAY, message -> message.id("order-7").bizKey("7"));
                results.add(template.reschedule(first, Duration.ofHours(2)));
                results.add(template.reschedule(second, Instant.ofEpochMilli(1_800_000_000_000L)));
            });
            assertThat(server.calls()).containsExactly("/push/batch");
            JsonObject one = server.pushed().get(0);
            JsonObject two = server.pushed().get(1);
            assertThat(one.integer("delay")).isEqualTo(7_200_000);
            assertThat(two.integer("triggerAt")).isEqualTo(1_800_000_000_000L);
            assertThat(two.get("delay")).isNull();
            assertThat(two.text("bizKey")).isEqualTo("7");
            assertThat(pushed()).containsExactly("one", "two");
            assertThat(results)
                    .allSatisfy(result -> assertThat(result).isCompletedWithValue(RescheduleResult.RESCHEDULED));
        });
    }

    @Test
    void aMovedMessageKeepsItsIdAlsoIfTheApplicationGaveNone() {
        run(() -> {
            List<String> ids = new ArrayList<>();
            transaction(status -> {
                ids.add(template.send("orders", "one", DELAY, message -> message.id(null)));
                template.reschedule(ids.get(0), Duration.ZERO);
            });
            assertThat(server.pushed())
                    .extracting(message -> message.text("id"))
                    .containsExactlyElementsOf(ids);
        });
    }

    @Test
    void aCancelOfABusinessKeyTakesBackTheSendsToo() {
        run(() -> {
            server.ofKey(Map.of("order-5", ""));
            List<CompletionStage<List<KeyedResult<CancelResult>>>> results = new ArrayList<>();
            transaction(status -> {
                template.send("orders", "taken back", DELAY, message -> message.bizKey("7"));
                template.send("orders", "taken back", DELAY, message -> message.id("order-7")
                        .bizKey("7"));
                template.send("orders", "another key", DELAY, message -> message.bizKey("8"));
                template.send("parcels", "another topic", DELAY, message -> message.bizKey("7"));
                results.add(template.cancelOfKey("orders", "7"));
                template.send("orders", "sent later", DELAY, message -> message.bizKey("7"));
                assertThat(server.calls()).isEmpty();
            });
            assertThat(server.calls())
                    .containsExactly("/delete order-7", "/delete topic=orders&bizKey=7", "/push/batch");
            assertThat(pushed()).containsExactly("another key", "another topic", "sent later");
            assertThat(results.get(0)).isCompletedWithValueMatching(all -> all.stream()
                    .map(each -> each.id() + " " + each.orThrow())
                    .toList()
                    .equals(List.of("order-7 CANCELLED", "order-5 CANCELLED")));
        });
    }

    @Test
    void aRescheduleOfABusinessKeyChangesTheSendsToo() {
        run(() -> {
            server.ofKey(Map.of("order-5", "ALREADY_DISPATCHED"));
            List<CompletionStage<List<KeyedResult<RescheduleResult>>>> results = new ArrayList<>();
            transaction(status -> {
                template.send("orders", "one", DELAY, message -> message.bizKey("7"));
                template.send("orders", "two", DELAY, message -> message.bizKey("8"));
                results.add(template.rescheduleOfKey("orders", "7", Duration.ofHours(1)));
            });
            assertThat(server.calls()).containsExactly("/reschedule key 7", "/push/batch");
            assertThat(server.pushed())
                    .extracting(message -> message.integer("delay"))
                    .containsExactly(3_600_000L, DELAY.toMillis());
            assertThat(results.get(0))
                    .isCompletedWithValueMatching(
                            all -> all.get(0).orThrow() == RescheduleResult.ALREADY_DISPATCHED && all.size() == 1);
        });
    }

    @Test
    void theFailureForOneMessageOfABusinessKeyIsThrownToo() {
        run(() -> {
            server.ofKey(Map.of("order-5", "UNAUTHORIZED"));
            List<CompletionStage<List<KeyedResult<CancelResult>>>> results = new ArrayList<>();
            assertThatExceptionOfType(DelayRequestException.class)
                    .isThrownBy(() -> transaction(status -> {
                        results.add(template.cancelOfKey("orders", "7"));
                        template.send("orders", "sent", DELAY);
                    }))
                    .withMessage("cancel orders order-5 was lost after the commit: HTTP 409 UNAUTHORIZED: ")
                    .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
            assertThat(errors())
                    .containsExactly("SEVERE cancel orders order-5 was lost after the commit: HTTP 409 UNAUTHORIZED: ");
            assertThat(pushed()).containsExactly("sent");
            assertThat(results.get(0))
                    .isCompletedWithValueMatching(all -> all.get(0).failure().isPresent());
        });
    }

    @Test
    void theCallsOnOneIdKeepTheirOrder() {
        run(() -> {
            transaction(status -> {
                template.send("orders", "another", DELAY);
                template.cancel("order-7");
                send("again");
                send("and again");
            });
            assertThat(server.calls()).containsExactly("/delete order-7", "/push/batch", "/push");
            assertThat(pushed()).containsExactly("another", "again", "and again");
        });
    }

    private void send(String body) {
        template.send("orders", body, DELAY, message -> message.id("order-7").replace());
    }

    @Test
    void aRollbackToASavepointDropsTheCallsAfterIt() {
        run(() -> {
            List<CompletionStage<?>> dropped = new ArrayList<>();
            transaction(status -> {
                transaction(PROPAGATION_NESTED, inner -> {
                    template.send("orders", "dropped", DELAY);
                    inner.setRollbackOnly();
                });
                send("kept");
                transaction(PROPAGATION_NESTED, inner -> {
                    dropped.add(template.cancel("order-7"));
                    dropped.add(template.reschedule("order-7", Duration.ZERO));
                    inner.setRollbackOnly();
                });
                transaction(PROPAGATION_NESTED, inner -> template.send("orders", "kept as well", DELAY));
            });
            assertThat(server.calls()).containsExactly("/push/batch");
            assertThat(pushed()).containsExactly("kept", "kept as well");
            assertThat(server.pushed().get(0).integer("delay")).isEqualTo(DELAY.toMillis());
            assertThat(dropped).hasSize(2).allSatisfy(result -> assertCancelled(result, "a rollback to a savepoint"));
        });
    }

    @Test
    void aNewTransactionHasCallsOfItsOwn() {
        run(() -> {
            transaction(status -> {
                send("of the outer one");
                transaction(PROPAGATION_REQUIRES_NEW, inner -> template.cancel("order-8"));
                assertThat(server.calls()).containsExactly("/delete order-8");
                transaction(PROPAGATION_NOT_SUPPORTED, none -> template.cancel("order-9"));
                assertThat(server.calls()).containsExactly("/delete order-8", "/delete order-9");
                status.setRollbackOnly();
            });
            assertThat(server.pushed()).isEmpty();
        });
    }

    @Test
    void otherThreadsAreNoPartOfTheTransaction() {
        run(() -> {
            transaction(status -> {
                CompletableFuture.runAsync(() -> template.cancel("order-7")).join();
                assertThat(server.calls()).containsExactly("/delete order-7");
                status.setRollbackOnly();
            });
        });
    }

    @Test
    void aReadOnlyTransactionIsATransaction() {
        run(() -> {
            TransactionTemplate reading = new TransactionTemplate(manager);
            reading.setReadOnly(true);
            reading.executeWithoutResult(status -> {
                template.cancel("order-7");
                assertThat(server.calls()).isEmpty();
            });
            assertThat(server.calls()).containsExactly("/delete order-7");
        });
    }

    @Test
    void aCallAfterTheCommitIsNotForgotten() {
        run(() -> {
            transaction(status -> {
                template.cancel("order-7").thenAccept(result -> template.send("orders", "because " + result, DELAY));
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        template.send("orders", "after the commit", DELAY);
                    }
                });
            });
            assertThat(pushed()).containsExactly("because CANCELLED", "after the commit");
        });
    }

    @Test
    void theCommitThrowsIfNoServerCanBeReached() {
        run(() -> {
            server.close();
            List<CompletionStage<?>> results = new ArrayList<>();
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> transaction(status -> {
                        template.send("订单超时", "the body", DELAY, message -> message.id("order-6"));
                        results.add(template.cancel("order-7"));
                        results.add(template.reschedule("order-8", DELAY));
                        results.add(template.reschedule("order-6", Duration.ZERO));
                        results.add(template.cancelOfKey("orders", "9"));
                    }))
                    .withMessageStartingWith("cancel order-7 was lost after the commit: " + server.url())
                    .withMessageContaining("the connection was refused")
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .extracting(DelayUnavailableException.class::cast)
                            .extracting(Throwable::getMessage)
                            .satisfiesExactly(
                                    text -> assertThat(text)
                                            .startsWith("reschedule order-8 was lost after the commit without a try: "),
                                    text -> assertThat(text)
                                            .startsWith(
                                                    "cancel orders bizKey=9 was lost after the commit without a try: "),
                                    text -> assertThat(text)
                                            .startsWith(
                                                    "push 订单超时 order-6 was lost after the commit without a try: ")));
            assertThat(results).allSatisfy(result -> assertThat(result).isCompletedExceptionally());
        });
    }

    /** The exception of the commit may be dropped, and the database does not remember the call: the log names it. */
    @Test
    void eachLostCallHasALineInTheLog() {
        run(() -> {
            server.close();
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> transaction(status -> {
                        template.send("订单超时", "the body", DELAY, message -> message.id("订单超时-2010")
                                .bizKey("2010"));
                        template.send("orders", "the body", DELAY, message -> message.id("order-6"));
                        template.cancel("order-7");
                        template.rescheduleOfKey("orders", "8", DELAY);
                    }));
            assertThat(errors())
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("SEVERE cancel order-7 was lost after the commit: " + server.url())
                                    .contains(": the connection was refused ("),
                            line -> assertThat(line)
                                    .startsWith("SEVERE reschedule orders bizKey=8 was lost after the commit"),
                            line -> assertThat(line).startsWith("SEVERE push 订单超时 订单超时-2010 was lost after the commit"),
                            line -> assertThat(line).startsWith("SEVERE push orders order-6 was lost after the commit"))
                    .noneMatch(line -> line.contains("the body"));
        });
    }

    @Test
    void aCallWithoutAnAnswerIsLostOrDone() {
        run(() -> {
            server.hangUp("/push");
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> transaction(
                            status -> template.send("orders", "in doubt", DELAY, message -> message.id("order-6"))))
                    .withMessageStartingWith(
                            "push orders order-6 was lost after the commit, or was done without an answer: ");
            assertThat(errors())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "SEVERE push orders order-6 was lost after the commit, or was done without an answer: ");
        });
    }

    private List<String> errors() {
        return log.lines().stream().filter(line -> line.startsWith("SEVERE")).toList();
    }

    /** Each try takes retry-for: the commit takes it once. */
    @Test
    void afterAnOutageFurtherCallsAreNotTried() {
        run(() -> {
            server.close();
            List<CompletionStage<CancelResult>> results = new ArrayList<>();
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> transaction(status ->
                            IntStream.range(0, 50).forEach(number -> results.add(template.cancel("order-" + number)))))
                    .satisfies(outage -> {
                        assertThat(outage).hasMessageStartingWith("cancel order-0 was lost after the commit: ");
                        assertThat(outage.getSuppressed()).hasSize(20);
                        assertThat(outage.getSuppressed()[18]).hasMessageStartingWith("cancel order-19 was lost");
                        assertThat(outage.getSuppressed()[19])
                                .hasMessage("30 more calls were lost after the commit;"
                                        + " the log of io.mykit.delay.client names each of them");
                    });
            assertThat(errors()).hasSize(50);
            for (int number = 0; number < 50; number++) {
                assertThat(results.get(number).toCompletableFuture())
                        .failsWithin(Duration.ZERO)
                        .withThrowableOfType(ExecutionException.class)
                        .havingCause()
                        .isInstanceOf(DelayUnavailableException.class)
                        .withMessageStartingWith("cancel order-" + number + " was lost after the commit");
            }
        });
    }

    @Test
    void eachMessageOfARefusedBatchIsNamed() {
        run(() -> {
            server.refuse("/delete", "UNAUTHORIZED");
            server.refuse("/push/batch", "UNAUTHORIZED");
            assertThatExceptionOfType(DelayRequestException.class)
                    .isThrownBy(() -> transaction(status -> {
                        template.cancel("order-7");
                        IntStream.range(0, 3)
                                .forEach(number -> template.send(
                                        "orders", "not sent", DELAY, message -> message.id("order-" + number)));
                    }))
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .extracting(Throwable::getMessage)
                            .satisfiesExactly(
                                    text -> assertThat(text).startsWith("push orders order-0 was lost"),
                                    text -> assertThat(text).startsWith("push orders order-1 was lost"),
                                    text -> assertThat(text)
                                            .startsWith("push orders order-2 was lost after the commit: HTTP 401")));
        });
    }

    @Test
    void aRefusalDoesNotStopTheOtherCalls() {
        run(() -> {
            server.refuse("/delete", "UNAUTHORIZED");
            List<CompletionStage<CancelResult>> results = new ArrayList<>();
            assertThatExceptionOfType(DelayRequestException.class)
                    .isThrownBy(() -> transaction(status -> {
                        results.add(template.cancel("order-7"));
                        results.add(template.cancel("order-8"));
                        template.reschedule("order-9", DELAY);
                        template.send("orders", "sent", DELAY);
                    }))
                    .withMessageStartingWith("cancel order-7 was lost after the commit: HTTP 401 UNAUTHORIZED: no")
                    .matches(failure ->
                            failure.status() == 401 && failure.error().equals("UNAUTHORIZED") && !failure.isInDoubt())
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .extracting(Throwable::getMessage)
                            .asString()
                            .startsWith("cancel order-8 was lost after the commit: "));
            assertThat(server.calls())
                    .containsExactly("/delete order-7", "/delete order-8", "/reschedule order-9", "/push");
            assertThat(results).allSatisfy(result -> assertThat(result).isCompletedExceptionally());
        });
    }
}
