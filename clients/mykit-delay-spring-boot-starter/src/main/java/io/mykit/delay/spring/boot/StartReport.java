package io.mykit.delay.spring.boot;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.spring.Mode;
import io.mykit.delay.spring.listener.Endpoint;
import io.mykit.delay.spring.listener.ListenerTimer;
import io.mykit.delay.spring.listener.Listeners;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.stream.Collectors;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/**
 * Logs what the starter does in this application: properties that are not known before other beans can fail because of them,
 * and one line when the application has started.
 */
record StartReport(ListableBeanFactory beans, Environment environment, DelayClientProperties properties)
        implements InitializingBean, ApplicationListener<ContextRefreshedEvent> {
    private static final Logger LOG = System.getLogger("io.mykit.delay.client");

    @Override
    public void afterPropertiesSet() {
        UnknownProperties.warnings(environment).forEach(warning -> LOG.log(Level.WARNING, warning));
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        // The events of a child, such as the context of the actuator's port, arrive too.
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans) {
            LOG.log(Level.INFO, text());
        }
    }

    private String text() {
        String servers = beans.getBeanProvider(DelayClient.class).stream()
                .map(client -> String.join(", ", client.endpoints()))
                .collect(Collectors.joining("; "));
        Listeners listeners = beans.getBeanProvider(Listeners.class).getIfAvailable();
        ListenerTimer timer = beans.getBeanProvider(ListenerTimer.class).getIfAvailable(() -> ListenerTimer.NONE);
        return "mykit-delay is at " + servers + "; "
                + (listeners == null ? "listeners are switched off" : listening(listeners.endpoints())) + "; "
                + (properties.jms().enabled() ? JmsConfiguration.report(beans) + "; " : "")
                + (properties.kafka().enabled() ? KafkaConfiguration.report(beans) + "; " : "")
                + (properties.rocketmq().enabled() ? RocketMqReport.text(beans) + "; " : "")
                + (properties.outbox().enabled()
                        ? "outbox in " + properties.outbox().table() + "; metrics "
                        : "metrics ")
                + (timer == ListenerTimer.NONE ? "off" : "on") + ", health "
                + (beans.containsBean(HealthConfiguration.NAME) ? "on" : "off");
    }

    private String listening(Collection<Endpoint> endpoints) {
        return endpoints.isEmpty()
                ? "no listeners"
                : endpoints.stream().map(this::shown).collect(Collectors.joining(", ", "listening to ", ""));
    }

    private String shown(Endpoint endpoint) {
        return endpoint.topic()
                + (endpoint.mode() == Mode.PULL
                        ? " (pull, " + endpoint.concurrency() + " at a time)"
                        : " (push, at " + properties.callback().path() + ")");
    }
}
