package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.Message;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.spring.example.Reservations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The template in transactions of a database with an outbox. */
@Timeout(60)
class OutboxTransactionTest {
    private static final Duration DELAY = Duration.ofMinutes(30);

    private final DelayServerStub server = new DelayServerStub();
    private static boolean isAutoCommitUsual;
    private DelayTemplate template;
    private PlatformTransactionManager manager;
    private JdbcTemplate rows;
    private DelayOutbox outbox;

    @BeforeEach
    void usual() {
        isAutoCommitUsual = true;
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Database {
        @Bean
        DataSource dataSource() {
            return isAutoCommitUsual ? withTable() : new WithoutAutoCommit(withTable());
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

    static DataSource withTable() {
        DataSource database = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        DelayOutbox.ddl("h2", "mykit_delay_outbox").forEach(new JdbcTemplate(database)::execute);
        return database;
    }

    /** A pool may give connections without auto-commit. */
    private static final class WithoutAutoCommit extends DelegatingDataSource {
        WithoutAutoCommit(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            connection.setAutoCommit(false);
            return connection;
        }
    }

    private void run(Runnable test) {
        run(true, test);
    }

    private void run(boolean hasRelay, Runnable test) {
        run(hasRelay, context -> test.run());
    }

    private void run(boolean hasRelay, ContextConsumer<AssertableApplicationContext> test) {
        Contexts.of(server)
                .withUserConfiguration(Database.class)
                .withBean(Reservations.class)
                .withPropertyValues(
                        "mykit.delay.client.outbox.enabled=true",
                        "mykit.delay.client.outbox.poll=1h",
                        "mykit.delay.client.outbox.relay=" + hasRelay)
                .run(context -> {
                    template = context.getBean(DelayTemplate.class);
                    manager = context.getBean(PlatformTransactionManager.class);
                    rows = context.getBean(JdbcTemplate.class);
                    outbox = context.getBean(DelayOutbox.class);
                    test.accept(context);
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

    private List<String> inTable() {
        return rows.queryForList(
                "SELECT CONCAT(operation, ' ', COALESCE(message_id, biz_key)) FROM mykit_delay_outbox ORDER BY row_id",
                String.class);
    }

    private void send(String id) {
        template.send("orders", "body", DELAY, message -> message.id(id));
    }

    @Test
    void theExampleOnThePageRuns() {
        run(true, context -> {
            Reservations reservations = context.getBean(Reservations.class);
            rows.execute("CREATE TABLE reservations (seat VARCHAR(20), state VARCHAR(20))");
            server.refuse("/delete", "ALREADY_DISPATCHED");
            reservations.reserve("7");
            reservations.pay("7");
            await().until(() -> rows.queryForList("SELECT state FROM reservations", String.class)
                    .equals(List.of("CHECK")));
            assertThat(server.calls()).containsExactly("/push", "/delete reservations-expiry-7");
        });
    }

    @Test
    void allCallsAreRowsOfTheTransaction() {
        run(true, context -> {
            transaction(status -> {
                send("a");
                template.cancel("b");
                template.reschedule("c", DELAY);
                template.reschedule("d", Instant.ofEpochSecond(1_900_000_000));
                template.cancelOfKey("orders", "4711");
                template.rescheduleOfKey("orders", "4712", DELAY);
                template.rescheduleOfKey("orders", "4713", Instant.ofEpochSecond(1_900_000_000));
                assertThat(inTable()).hasSize(7);
                assertThat(server.calls()).isEmpty();
            });
            // The poll takes an hour: the commit wakes the relay.
            await().until(() -> inTable().isEmpty());
            assertThat(server.calls()).hasSize(7).contains("/push", "/delete b", "/reschedule c", "/reschedule d");
        });
    }

    @Test
    void aRollbackTakesTheRows() {
        run(false, () -> {
            transaction(status -> {
                send("a");
                template.cancel("b");
                status.setRollbackOnly();
            });
            assertThat(inTable()).isEmpty();
        });
    }

    @Test
    void aRollbackToASavepointTakesThoseAfterIt() {
        run(false, () -> {
            transaction(outer -> {
                send("a");
                transaction(PROPAGATION_NESTED, nested -> {
                    send("b");
                    nested.setRollbackOnly();
                });
                send("c");
            });
            assertThat(inTable()).containsExactly("push a", "push c");
        });
    }

    @Test
    void anInnerTransactionHasItsOwnRows() {
        run(false, () -> {
            transaction(outer -> {
                send("outer");
                transaction(PROPAGATION_REQUIRES_NEW, inner -> send("inner"));
                transaction(PROPAGATION_NOT_SUPPORTED, none -> send("alone"));
                outer.setRollbackOnly();
            });
            assertThat(inTable()).containsExactlyInAnyOrder("push inner", "push alone");
        });
    }

    @Test
    void withoutATransactionTheRowIsCommittedAtOnce() {
        run(false, () -> {
            send("a");
            assertThat(inTable()).containsExactly("push a");
        });
        run(() -> {
            send("a");
            await().until(() -> server.calls().contains("/push"));
        });
    }

    @Test
    void theResultIsToldToTheListenerAlone() {
        run(false, () -> {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CompletionStage<?> result = template.cancel("a");
            result.whenComplete((value, thrown) -> failure.set(thrown));
            assertThat(failure.get())
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("a bean of OutboxListener is told its result");
        });
    }

    @Test
    void aReadOnlyTransactionIsRefusedByItsName() {
        run(false, () -> {
            TransactionTemplate readOnly = new TransactionTemplate(manager);
            readOnly.setReadOnly(true);
            readOnly.setName("org.example.Orders.list");
            assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> send("a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the transaction org.example.Orders.list is read-only");
            assertThat(inTable()).isEmpty();
        });
    }

    @Test
    void aTransactionOfAnotherDataSourceIsRefused() {
        run(false, () -> {
            manager = new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:other"));
            assertThatThrownBy(() -> transaction(status -> send("a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is none of the DataSource dataSource, where the outbox is")
                    .hasMessageContaining("mykit.delay.client.outbox.data-source");
            assertThat(inTable()).isEmpty();
        });
    }

    @Test
    void aPoolMayHaveNoAutoCommit() {
        isAutoCommitUsual = false;
        run(false, () -> {
            send("alone");
            transaction(status -> send("kept"));
            transaction(status -> {
                send("dropped");
                status.setRollbackOnly();
            });
            transaction(status ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            send("after-commit");
                        }

                        @Override
                        public void afterCompletion(int outcome) {
                            send("after-completion");
                        }
                    }));
            PlatformTransactionManager own = manager;
            manager = new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:other"));
            assertThatThrownBy(() -> transaction(status -> send("foreign")))
                    .hasMessageContaining("is none of the DataSource dataSource");
            manager = own;
            transaction(status -> assertThat(inTable())
                    .containsExactly("push alone", "push kept", "push after-commit", "push after-completion"));
        });
    }

    /** What listeners of the commit send is not lost, whichever phase they have. */
    @Test
    void callsAfterTheCommitAreCommittedToo() {
        run(true, context -> {
            transaction(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        send("first-after-commit");
                    }

                    @Override
                    public void afterCompletion(int outcome) {
                        send("after-completion");
                    }
                });
            });
            transaction(status -> {
                send("in-time");
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        send("later-after-commit");
                    }
                });
            });
            await().until(() -> inTable().isEmpty());
            assertThat(server.pushed())
                    .extracting(message -> message.text("id"))
                    .containsExactlyInAnyOrder(
                            "first-after-commit", "after-completion", "in-time", "later-after-commit");
        });
    }

    @Test
    void nothingIsLostWhileTheServerIsAway() {
        run(true, context -> {
            server.refuse("/push", "UNAUTHORIZED");
            transaction(status -> send("a"));
            send("b");
            assertThat(inTable()).containsExactly("push a", "push b");
            server.accept("/push");
            await().until(() -> inTable().isEmpty());
            assertThat(server.pushed())
                    .extracting(message -> message.text("id"))
                    .contains("a", "b");
        });
    }

    @Test
    void theClientIsStillThereForCallsAtOnce() {
        run(false, context -> {
            server.refuse("/push", "ID_CONFLICT");
            DelayClient client = context.getBean(DelayClient.class);
            assertThatThrownBy(() -> client.push(Message.builder("orders").build()))
                    .isInstanceOf(DelayRequestException.class);
        });
    }
}
