package io.mykit.delay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxListener;
import io.mykit.delay.outbox.OutboxRelay;
import io.mykit.delay.spring.call.TemplateCalls;
import io.mykit.delay.spring.health.ActuatorHealth;
import io.mykit.delay.spring.health.ContributorHealth;
import io.mykit.delay.spring.health.OutboxHealth;
import io.mykit.delay.spring.metrics.OutboxMeters;
import io.mykit.delay.spring.outbox.OutboxCalls;
import io.mykit.delay.spring.outbox.OutboxListeners;
import io.mykit.delay.spring.outbox.OutboxProbe;
import io.mykit.delay.spring.outbox.RelayLifecycle;
import io.mykit.delay.spring.outbox.Rows;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The transactional outbox, if it is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("mykit.delay.client.outbox.enabled")
@Import({
    OutboxConfiguration.WithoutJdbc.class,
    OutboxConfiguration.WithJdbc.class,
    OutboxConfiguration.Metrics.class,
    OutboxConfiguration.Boot3.class,
    OutboxConfiguration.Boot4.class
})
class OutboxConfiguration {
    static final String HEALTH = "mykitDelayOutboxHealthIndicator";
    private static final String JDBC = "org.springframework.jdbc.core.JdbcTemplate";

    /** An outbox that was silently missing would lose messages. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(JDBC)
    static class WithoutJdbc implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            throw new IllegalStateException(
                    "mykit.delay.client.outbox.enabled needs spring-jdbc, such as by spring-boot-starter-jdbc");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = JDBC)
    static class WithJdbc {
        /** The scripts of the application make the table before it is looked for. */
        @Bean
        @ConditionalOnMissingBean
        @DependsOnDatabaseInitialization
        DelayOutbox delayOutbox(ListableBeanFactory beans, DelayClientProperties properties) throws SQLException {
            DataSources found = new DataSources(beans, properties.outbox().dataSource());
            String table = properties.outbox().table();
            try {
                return DelayOutbox.open(found.chosen(), table);
            } catch (IllegalArgumentException e) {
                throw new InvalidConfigurationPropertyValueException(
                        "mykit.delay.client.outbox.table", table, e.getMessage());
            }
        }

        @Bean
        @ConditionalOnMissingBean
        RelayLifecycle delayOutboxRelay(
                DelayOutbox outbox,
                DelayClient client,
                ObjectProvider<OutboxListener> listeners,
                DelayClientProperties properties) {
            DelayClientProperties.Outbox settings = properties.outbox();
            return new RelayLifecycle(settings.relay() ? () -> relay(outbox, client, listeners, settings) : null);
        }

        /** When it starts: a listener may need the template, which needs the relay. */
        private static OutboxRelay.Builder relay(
                DelayOutbox outbox,
                DelayClient client,
                ObjectProvider<OutboxListener> listeners,
                DelayClientProperties.Outbox settings) {
            try {
                return outbox.relay(client)
                        .listener(new OutboxListeners(listeners.orderedStream().toList()))
                        .poll(settings.poll())
                        .lease(settings.lease())
                        .batch(settings.batch());
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException("mykit.delay.client.outbox." + e.getMessage(), e);
            }
        }

        @Bean
        @ConditionalOnMissingBean
        TemplateCalls delayTemplateCalls(
                ListableBeanFactory beans, DelayOutbox outbox, RelayLifecycle relay, DelayClientProperties properties)
                throws SQLException {
            DataSources found = new DataSources(beans, properties.outbox().dataSource());
            DataSource database = found.chosen();
            return new OutboxCalls(outbox, new Rows(database, found.nameOf(database), relay::wake));
        }

        @Bean
        @ConditionalOnMissingBean
        OutboxProbe delayOutboxProbe(DelayOutbox outbox, RelayLifecycle relay) {
            return new OutboxProbe(outbox, relay);
        }

        @Bean
        static LazyInitializationExcludeFilter delayOutboxRelayIsNotLazy() {
            return LazyInitializationExcludeFilter.forBeanTypes(RelayLifecycle.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"io.micrometer.core.instrument.MeterRegistry", JDBC})
    static class Metrics {
        /** Does nothing without a registry. */
        @Bean
        InitializingBean delayOutboxMeters(OutboxProbe probe, ObjectProvider<MeterRegistry> registries) {
            return () -> registries.ifUnique(registry -> new OutboxMeters(probe).register(registry));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"org.springframework.boot.actuate.health.HealthIndicator", JDBC})
    @ConditionalOnProperty(name = "management.health.mykit-delay-outbox.enabled", matchIfMissing = true)
    static class Boot3 {
        @Bean(HEALTH)
        @ConditionalOnMissingBean(name = HEALTH)
        ActuatorHealth mykitDelayOutboxHealthIndicator(OutboxProbe probe) {
            return new ActuatorHealth(new OutboxHealth(probe)::look);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"org.springframework.boot.health.contributor.HealthIndicator", JDBC})
    @ConditionalOnProperty(name = "management.health.mykit-delay-outbox.enabled", matchIfMissing = true)
    static class Boot4 {
        @Bean(HEALTH)
        @ConditionalOnMissingBean(name = HEALTH)
        ContributorHealth mykitDelayOutboxHealthIndicator(OutboxProbe probe) {
            return new ContributorHealth(new OutboxHealth(probe)::look);
        }
    }
}
