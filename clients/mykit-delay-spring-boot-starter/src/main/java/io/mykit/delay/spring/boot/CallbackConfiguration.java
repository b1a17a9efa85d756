package io.mykit.delay.spring.boot;

import io.mykit.delay.client.WebhookVerifier;
import io.mykit.delay.spring.callback.CallbackController;
import io.mykit.delay.spring.listener.Listeners;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The endpoint for callbacks, in an application with Spring MVC and a secret. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
@Conditional(HasSecret.class)
@ConditionalOnProperty(name = "mykit.delay.client.listener.enabled", matchIfMissing = true)
class CallbackConfiguration {
    static final String CONTROLLER = "delayCallbackController";

    @Bean
    @ConditionalOnMissingBean
    WebhookVerifier delayWebhookVerifier(DelayClientProperties properties) {
        try {
            return WebhookVerifier.of(properties.callback().secret().strip().split("\\s+"))
                    .tolerance(properties.callback().tolerance());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("mykit.delay.client.callback.secret: " + e.getMessage(), e);
        }
    }

    @Bean(CONTROLLER)
    @ConditionalOnMissingBean(name = CONTROLLER)
    CallbackController delayCallbackController(
            Listeners listeners, WebhookVerifier verifier, DelayClientProperties properties) {
        return new CallbackController(
                listeners,
                verifier,
                Math.toIntExact(properties.callback().maxBody().toBytes()));
    }
}
