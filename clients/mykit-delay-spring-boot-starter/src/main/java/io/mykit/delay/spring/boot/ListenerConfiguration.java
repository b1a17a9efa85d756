package io.mykit.delay.spring.boot;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.listener.ListenerDefaults;
import io.mykit.delay.spring.listener.ListenerSearch;
import io.mykit.delay.spring.listener.ListenerTimer;
import io.mykit.delay.spring.listener.Listeners;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The listeners. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "mykit.delay.client.listener.enabled", matchIfMissing = true)
class ListenerConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Listeners delayListeners(
            ConfigurableListableBeanFactory beans,
            DelayClient client,
            PayloadFormat format,
            DelayClientProperties properties,
            ObjectProvider<ListenerTimer> timers) {
        ListenerDefaults defaults = new ListenerDefaults(
                properties.concurrency(),
                properties.ttr(),
                properties.listener().unreadableBody());
        ListenerTimer timer = timers.getIfAvailable(() -> ListenerTimer.NONE);
        return new Listeners(
                new ListenerSearch(beans, format, defaults, timer),
                client,
                properties.grace(),
                beans.containsBean(CallbackConfiguration.CONTROLLER));
    }

    /** With spring.main.lazy-initialization the listeners would never be asked for. */
    @Bean
    static LazyInitializationExcludeFilter delayListenersAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(Listeners.class, StartReport.class);
    }
}
