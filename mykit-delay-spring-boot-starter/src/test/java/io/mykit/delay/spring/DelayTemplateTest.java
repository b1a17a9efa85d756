package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.client.DelayUnavailableException;
import io.mykit.delay.client.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@Timeout(60)
class DelayTemplateTest {
    private static final Duration DELAY = Duration.ofMinutes(30);

    private final DelayServerStub server = new DelayServerStub();
    private final ApplicationContextRunner application = Contexts.of(server);

    @AfterEach
    void close() {
        server.close();
    }

    record Order(int number) {}

    @Test
    void aPayloadGoesAsItIsOrAsJson() {
        application.run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            String id = template.send("orders", "a text", DELAY);
            template.send("orders", new byte[] {1, 2}, Instant.ofEpochMilli(1_800_000_000_000L));
            template.send("orders", new Order(7), DELAY, message -> message.id("order-7")
                    .headers(Map.of("tenant", "42")));

            List<JsonObject> pushed = server.pushed();
            assertThat(pushed.get(0).text("id")).isEqualTo(id);
            assertThat(pushed.get(0).text("topic")).isEqualTo("orders");
            assertThat(pushed.get(0).text("body")).isEqualTo("a text");
            assertThat(pushed.get(0).integer("delay")).isEqualTo(1_800_000);
            assertThat(pushed.get(1).text("bodyBase64"))
                    .isEqualTo(Base64.getEncoder().encodeToString(new byte[] {1, 2}));
            assertThat(pushed.get(1).integer("triggerAt")).isEqualTo(1_800_000_000_000L);
            assertThat(pushed.get(2).text("body")).isEqualTo("{\"number\":7}");
            assertThat(pushed.get(2).text("id")).isEqualTo("order-7");
            assertThat(pushed.get(2).texts("headers")).isEqualTo(Map.of("tenant", "42"));
        });
    }

    /** A transaction without a resource. */
    static final class Transactions extends AbstractPlatformTransactionManager {
        Transactions() {
            setNestedTransactionAllowed(true);
        }

        @Override
        protected Object doGetTransaction() {
            return new Savepoints(TransactionSynchronizationManager.isActualTransactionActive());
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return ((Savepoints) transaction).exists();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private record Savepoints(boolean exists) implements SavepointManager {
        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {}

        @Override
        public void releaseSavepoint(Object savepoint) {}
    }

    @Test
    void insideATransactionMessagesGoTogetherAfterTheCommit() {
        application.withBean(Transactions.class).run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            String id = transaction(context.getBean(PlatformTransactionManager.class))
                    .execute(status -> {
                        template.send("orders", "one", DELAY);
                        String second = template.send("orders", "two", DELAY);
                        assertThat(server.pushed()).isEmpty();
                        return second;
                    });

            assertThat(server.pushed()).hasSize(2);
            assertThat(server.pushed().get(1).text("id")).isEqualTo(id);
            assertThat(server.calls()).containsExactly("/push/batch");
        });
    }

    @Test
    void aRollbackDropsTheMessages() {
        application.withBean(Transactions.class).run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            transaction(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                template.send("orders", "one", DELAY);
                status.setRollbackOnly();
            });
            assertThat(server.calls()).isEmpty();
        });
    }

    @Test
    void aRollbackToASavepointDropsTheMessagesAfterIt() {
        application.withBean(Transactions.class).run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            PlatformTransactionManager manager = context.getBean(PlatformTransactionManager.class);
            TransactionTemplate nested = transaction(manager);
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            transaction(manager).executeWithoutResult(status -> {
                nested.executeWithoutResult(inner -> {
                    template.send("orders", "dropped", DELAY);
                    inner.setRollbackOnly();
                });
                template.send("orders", "kept", DELAY);
                nested.executeWithoutResult(inner -> {
                    template.send("orders", "dropped", DELAY);
                    inner.setRollbackOnly();
                });
                nested.executeWithoutResult(inner -> template.send("orders", "kept as well", DELAY));
            });
            assertThat(server.pushed())
                    .extracting(message -> message.text("body"))
                    .containsExactly("kept", "kept as well");
        });
    }

    @Test
    void aMessageThatIsSentAfterTheCommitIsNotForgotten() {
        application.withBean(Transactions.class).run(context -> {
            DelayTemplate template = context.getBean(DelayTemplate.class);
            transaction(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status ->
                            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                                @Override
                                public void afterCommit() {
                                    template.send("orders", "after the commit", DELAY);
                                }
                            }));
            assertThat(server.pushed())
                    .extracting(message -> message.text("body"))
                    .containsExactly("after the commit");
        });
    }

    @Test
    void theCommitThrowsIfNoServerCanBeReached() {
        application.withBean(Transactions.class).run(context -> {
            server.close();
            TransactionTemplate transaction = transaction(context.getBean(PlatformTransactionManager.class));
            DelayTemplate template = context.getBean(DelayTemplate.class);
            assertThatExceptionOfType(DelayUnavailableException.class)
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        template.send("orders", "lost", DELAY);
                    }));
        });
    }

    private static TransactionTemplate transaction(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }
}
