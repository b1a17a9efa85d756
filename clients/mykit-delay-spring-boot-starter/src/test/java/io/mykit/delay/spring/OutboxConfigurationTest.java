package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.CancelResult;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.spring.outbox.RelayLifecycle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The beans of the outbox. */
@Timeout(60)
class OutboxConfigurationTest {
    private static final String HEALTH = "mykitDelayOutboxHealthIndicator";

    private final DelayServerStub server = new DelayServerStub();
    private final LogLines log = new LogLines();
    private final ApplicationContextRunner application =
            Contexts.of(server).withPropertyValues("mykit.delay.client.outbox.enabled=true");

    @AfterEach
    void close() {
        log.close();
        server.close();
    }

    private ApplicationContextRunner withDatabase() {
        return application.withBean("shop", DataSource.class, OutboxTransactionTest::withTable);
    }

    private void fails(ApplicationContextRunner wrong, String... words) {
        wrong.run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .satisfies(failure -> assertThat(failure.getMessage()).contains(words)));
    }

    @Test
    void withoutThePropertyThereIsNoOutbox() {
        Contexts.of(server)
                .withBean("shop", DataSource.class, OutboxTransactionTest::withTable)
                .run(context ->
                        assertThat(context).doesNotHaveBean(DelayOutbox.class).doesNotHaveBean(HEALTH));
    }

    @Test
    void theDataSourceHasToBeClear() {
        fails(application, "mykit.delay.client.outbox.enabled needs a DataSource, and there is none");
        ApplicationContextRunner two = withDatabase()
                .withBean("other", DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:empty"));
        fails(
                two,
                "there are several DataSources, [shop, other]",
                "mykit.delay.client.outbox.data-source has to name the one with the table");
        fails(
                two.withPropertyValues("mykit.delay.client.outbox.data-source=shpo"),
                "mykit.delay.client.outbox.data-source names no DataSource: shpo; there are [shop, other]");
        two.withPropertyValues("mykit.delay.client.outbox.data-source=shop").run(context -> {
            context.getBean(DelayTemplate.class).cancel("a");
            await().until(() -> server.calls().contains("/delete a"));
        });
    }

    @Test
    void aMissingTableFailsTheStartAndNamesTheScript() {
        application
                .withBean(DataSource.class, () -> new DriverManagerDataSource("jdbc:h2:mem:empty"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("io/mykit/delay/outbox/h2.sql in the jar of mykit-delay-outbox"));
    }

    @Test
    void wrongValuesNameTheirProperties() {
        withDatabase().withPropertyValues("mykit.delay.client.outbox.table=a b").run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .hasStackTraceContaining("mykit.delay.client.outbox.table"));
        withDatabase().withPropertyValues("mykit.delay.client.outbox.batch=501").run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .hasStackTraceContaining("mykit.delay.client.outbox.batch is 501; 1 to 500 are possible"));
    }

    @Test
    void withoutSpringJdbcTheStartFails() {
        withDatabase()
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc"))
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .hasStackTraceContaining("mykit.delay.client.outbox.enabled needs spring-jdbc"));
    }

    @Test
    void theStartIsReported() {
        withDatabase().run(context -> assertThat(log.lines())
                .singleElement()
                .asString()
                .contains("; no listeners; outbox in mykit_delay_outbox; metrics off"));
    }

    @Test
    void aPropertyWhoseClientWasForgottenIsWarnedOf() {
        Contexts.of(server)
                .withPropertyValues("mykit.delay.outbox.enabled=true", "mykit.delay.client.outbox.pol=1s")
                .run(context -> assertThat(log.lines())
                        .anySatisfy(
                                line -> assertThat(line).endsWith("did you mean mykit.delay.client.outbox.enabled?"))
                        .anySatisfy(line -> assertThat(line).endsWith("did you mean mykit.delay.client.outbox.poll?")));
    }

    @Test
    void metricsAndHealthShowWhatWaitsAndWhatWasRefused() {
        server.refuse("/push", "ID_CONFLICT");
        withDatabase().withBean(SimpleMeterRegistry.class).run(context -> {
            DelayOutbox outbox = context.getBean(DelayOutbox.class);
            DelayTemplate template = context.getBean(DelayTemplate.class);
            template.send("orders", "body", Duration.ZERO);
            template.cancel("a");
            await().until(() -> outbox.state().setAside() == 1 && outbox.state().rows() == 0);

            MeterRegistry meters = context.getBean(MeterRegistry.class);
            await().untilAsserted(() -> {
                assertThat(meters.get("mykit.delay.outbox.set.aside").gauge().value())
                        .isEqualTo(1);
                assertThat(meters.get("mykit.delay.outbox.rows").gauge().value())
                        .isZero();
                assertThat(meters.get("mykit.delay.outbox.oldest.age")
                                .timeGauge()
                                .value(TimeUnit.SECONDS))
                        .isZero();
                assertThat(meters.get("mykit.delay.outbox.relayed")
                                .functionCounter()
                                .count())
                        .isEqualTo(1);
            });
            assertThat(AutoConfigurationTest.health(context.getBean(HEALTH)))
                    .isEqualTo("UP {rows=0, oldestAge=PT0S, setAside=1}");
        });
    }

    @Test
    void healthIsDownIfTheTableCannotBeRead() {
        withDatabase().run(context -> {
            new JdbcTemplate(context.getBean(DataSource.class)).execute("DROP TABLE mykit_delay_outbox");
            assertThat(AutoConfigurationTest.health(context.getBean(HEALTH)))
                    .startsWith("DOWN {")
                    .contains("MYKIT_DELAY_OUTBOX");
        });
    }

    @Test
    void healthCanBeSwitchedOff() {
        withDatabase()
                .withPropertyValues("management.health.mykit-delay-outbox.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HEALTH));
    }

    /** A DataSource that looks at the relay when it is closed. */
    private static final class Closing extends DelegatingDataSource implements DisposableBean {
        static final List<Boolean> RUNNING = new CopyOnWriteArrayList<>();
        static RelayLifecycle relay;

        Closing() {
            super(OutboxTransactionTest.withTable());
        }

        @Override
        public void destroy() {
            RUNNING.add(relay.isRunning());
        }
    }

    @Test
    void theRelayStopsBeforeTheDataSourceCloses() {
        application.withBean("shop", Closing.class, Closing::new).run(context -> {
            Closing.relay = context.getBean(RelayLifecycle.class);
            assertThat(Closing.relay.isRunning()).isTrue();
        });
        assertThat(Closing.RUNNING).containsExactly(false);
    }

    @Test
    void eachListenerIsToldAndMayUseTheTemplate() {
        List<String> told = new CopyOnWriteArrayList<>();
        withDatabase()
                .withBean("one", OutboxListener.class, () -> new OutboxListener() {
                    @Override
                    public void cancelled(String id, CancelResult result) {
                        told.add("one " + id);
                    }
                })
                .withBean("two", OutboxListener.class, () -> new OutboxListener() {
                    @Override
                    public void cancelled(String id, CancelResult result) {
                        told.add("two " + id);
                    }
                })
                .run(context -> {
                    context.getBean(DelayTemplate.class).cancel("a");
                    await().until(() -> told.size() == 2);
                    assertThat(told).containsExactlyInAnyOrder("one a", "two a");
                });
    }
}
