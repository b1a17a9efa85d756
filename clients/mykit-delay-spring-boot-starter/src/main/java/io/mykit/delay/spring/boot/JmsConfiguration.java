package io.mykit.delay.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.jms.DelayedSendListener;
import io.mykit.delay.client.jms.DelayedSender;
import io.mykit.delay.spring.call.TemplateCalls;
import io.mykit.delay.spring.jms.DelayedConnections;
import io.mykit.delay.spring.metrics.JmsMeters;
import io.mykit.delay.spring.outbox.OutboxCalls;
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

/** Delayed messages of JMS, if it is switched on. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("mykit.delay.client.jms.enabled")
@Import({JmsConfiguration.WithoutJms.class, JmsConfiguration.WithJms.class, JmsConfiguration.Metrics.class})
class JmsConfiguration {
    private static final String JMS = "jakarta.jms.ConnectionFactory";

    /** Without a word the messages would go to the broker as before. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(JMS)
    static class WithoutJms implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            throw new IllegalStateException(
                    "mykit.delay.client.jms.enabled needs a client of Jakarta Messaging, such as by"
                            + " spring-boot-starter-activemq");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = JMS)
    static class WithJms {
        @Bean
        static DelayedConnections delayedConnections(
                ObjectProvider<DelayedSender> sender, ObjectProvider<DelayedSendListener> listener) {
            return new DelayedConnections(sender, listener);
        }

        /** With the outbox, a message is a row of the transaction. */
        @Bean
        @ConditionalOnMissingBean
        DelayedSender delayedSender(DelayClient client, ObjectProvider<TemplateCalls> calls) {
            return calls.getIfAvailable() instanceof OutboxCalls rows ? rows::pushAll : DelayedSender.to(client);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = {"io.micrometer.core.instrument.MeterRegistry", JMS})
    static class Metrics {
        /** Counts nothing without a registry. */
        @Bean
        @ConditionalOnMissingBean
        DelayedSendListener delayedSendMeters(ObjectProvider<MeterRegistry> registries) {
            MeterRegistry registry = registries.getIfUnique();
            return registry == null ? DelayedSendListener.NONE : new JmsMeters(registry);
        }
    }

    /** A part of the line at the start. */
    static String report(ListableBeanFactory beans) {
        List<String> names = beans.getBeanProvider(DelayedConnections.class).stream()
                .flatMap(each -> each.names().stream())
                .toList();
        return names.isEmpty()
                ? "no ConnectionFactory of JMS is a bean"
                : "delayed messages of " + String.join(", ", names) + " go to mykit-delay";
    }
}
