package io.mykit.delay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.kafka.DelayInterceptor;
import io.mykit.delay.client.kafka.DelayedRecordListener;
import io.mykit.delay.spring.kafka.DelayedRecords;
import io.mykit.delay.spring.metrics.KafkaMeters;
import java.util.List;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Delayed records of Kafka, if it is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("mykit.delay.client.kafka.enabled")
@Import({KafkaConfiguration.WithoutKafka.class, KafkaConfiguration.WithKafka.class, KafkaConfiguration.Metrics.class})
class KafkaConfiguration {
    private static final String FACTORY = "org.springframework.kafka.core.DefaultKafkaProducerFactory";

    /** Without a word the records would arrive at once. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(FACTORY)
    static class WithoutKafka implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            throw new IllegalStateException("mykit.delay.client.kafka.enabled needs spring-kafka");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = FACTORY)
    static class WithKafka {
        /** It is made before the properties are bound. */
        @Bean
        static DelayedRecords delayedRecords(Environment environment, ObjectProvider<DelayedRecordListener> listener) {
            return new DelayedRecords(
                    environment.getProperty("mykit.delay.client.kafka.topic", DelayInterceptor.DEFAULT_TOPIC),
                    listener);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"io.micrometer.core.instrument.MeterRegistry", FACTORY})
    static class Metrics {
        /** Counts nothing without a registry. */
        @Bean
        @ConditionalOnMissingBean
        DelayedRecordListener delayedRecordMeters(ObjectProvider<MeterRegistry> registries) {
            MeterRegistry registry = registries.getIfUnique();
            return registry == null ? topic -> {} : new KafkaMeters(registry);
        }
    }

    /** A part of the line at the start. */
    static String report(ListableBeanFactory beans) {
        List<String> names = beans.getBeanProvider(DelayedRecords.class).stream()
                .flatMap(each -> each.names().stream())
                .toList();
        return names.isEmpty()
                ? "no DefaultKafkaProducerFactory is a bean"
                : "delayed records of " + String.join(", ", names) + " go to mykit-delay";
    }
}
