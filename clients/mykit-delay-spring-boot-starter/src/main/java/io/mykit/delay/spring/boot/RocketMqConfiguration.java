package io.mykit.delay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.rocketmq.DelayedSends;
import io.mykit.delay.spring.metrics.RocketMqMeters;
import io.mykit.delay.spring.rocketmq.DelayingProducers;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The delayed messages of producers of RocketMQ, if it is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("mykit.delay.client.rocketmq.enabled")
@Import({
    RocketMqConfiguration.WithoutClient.class,
    RocketMqConfiguration.WithClient.class,
    RocketMqConfiguration.Metrics.class
})
class RocketMqConfiguration {
    private static final String PRODUCER = "org.apache.rocketmq.client.producer.DefaultMQProducer";

    /** Without a word the messages would go on to the broker's timer. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(PRODUCER)
    static class WithoutClient implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            throw new IllegalStateException("mykit.delay.client.rocketmq.enabled needs rocketmq-client 5.3.2 or newer,"
                    + " such as by rocketmq-spring-boot-starter");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = PRODUCER)
    static class WithClient {
        @Bean
        @ConditionalOnMissingBean
        DelayedSends delayedSends(DelayClient client, DelayClientProperties properties) {
            DelayClientProperties.RocketMq settings = properties.rocketmq();
            try {
                DelayedSends.Builder builder = DelayedSends.builder(client)
                        .topics(settings.topics())
                        .minDelay(settings.minDelay())
                        .maxInFlight(settings.maxInFlight());
                return settings.delayLevels().isEmpty()
                        ? builder.build()
                        : builder.delayLevels(settings.delayLevels()).build();
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException("mykit.delay.client.rocketmq: " + e.getMessage(), e);
            }
        }

        @Bean
        static DelayingProducers delayingProducers(ObjectProvider<DelayedSends> sends) {
            return new DelayingProducers(sends);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"io.micrometer.core.instrument.MeterRegistry", PRODUCER})
    static class Metrics {
        /** Does nothing without a registry. */
        @Bean
        InitializingBean delayedSendsMeters(DelayedSends sends, ObjectProvider<MeterRegistry> registries) {
            return () -> registries.ifUnique(registry -> new RocketMqMeters(sends.counts()).register(registry));
        }
    }
}
