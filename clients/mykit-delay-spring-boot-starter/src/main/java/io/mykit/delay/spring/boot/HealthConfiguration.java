package io.mykit.delay.spring.boot;

import io.mykit.delay.spring.health.ActuatorHealth;
import io.mykit.delay.spring.health.ContributorHealth;
import io.mykit.delay.spring.health.ServerProbe;
import io.mykit.delay.spring.listener.Listeners;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health of the servers. The types of the actuator have other names in Spring Boot 4. */
final class HealthConfiguration {
    static final String NAME = "mykitDelayHealthIndicator";

    private HealthConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.mykit-delay.enabled", matchIfMissing = true)
    static class Boot3 {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        ActuatorHealth mykitDelayHealthIndicator(
                DelayClientProperties properties,
                ObjectProvider<SslBundles> bundles,
                ObjectProvider<Listeners> listeners) {
            return new ActuatorHealth(probe(properties, bundles, listeners)::look);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnProperty(name = "management.health.mykit-delay.enabled", matchIfMissing = true)
    static class Boot4 {
        @Bean(NAME)
        @ConditionalOnMissingBean(name = NAME)
        ContributorHealth mykitDelayHealthIndicator(
                DelayClientProperties properties,
                ObjectProvider<SslBundles> bundles,
                ObjectProvider<Listeners> listeners) {
            return new ContributorHealth(probe(properties, bundles, listeners)::look);
        }
    }

    private static ServerProbe probe(
            DelayClientProperties properties, ObjectProvider<SslBundles> bundles, ObjectProvider<Listeners> listeners) {
        return new ServerProbe(HttpClients.open(properties, bundles), properties.endpoints(), () -> {
            Listeners running = listeners.getIfAvailable();
            return running == null ? Map.of() : running.refusals();
        });
    }
}
