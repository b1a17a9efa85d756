package io.mykit.delay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.spring.listener.ListenerTimer;
import io.mykit.delay.spring.metrics.MicrometerTimer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Where Micrometer is there, listeners are timed if there is a registry. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
class MetricsConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ListenerTimer delayListenerTimer(ObjectProvider<MeterRegistry> registries) {
        MeterRegistry registry = registries.getIfUnique();
        return registry == null ? ListenerTimer.NONE : new MicrometerTimer(registry);
    }
}
