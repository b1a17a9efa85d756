package io.mykit.delay.spring.boot;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.spring.DelayTemplate;
import io.mykit.delay.spring.PayloadFormat;
import io.mykit.delay.spring.call.AtOnce;
import io.mykit.delay.spring.call.TemplateCalls;
import io.mykit.delay.spring.payload.JsonFormats;
import io.mykit.delay.spring.transaction.AfterCommit;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** The beans that an application has by default. One of its own replaces each of them. */
@AutoConfiguration
@ConditionalOnProperty(name = "mykit.delay.client.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DelayClientProperties.class)
@Import({
    MetricsConfiguration.class,
    CallbackConfiguration.class,
    ListenerConfiguration.class,
    OutboxConfiguration.class,
    JmsConfiguration.class,
    KafkaConfiguration.class,
    RocketMqConfiguration.class,
    HealthConfiguration.Boot3.class,
    HealthConfiguration.Boot4.class
})
public class DelayAutoConfiguration {
    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization",
            DelayAutoConfiguration.class.getClassLoader());

    @Bean
    StartReport delayStartReport(ListableBeanFactory beans, Environment environment, DelayClientProperties properties) {
        return new StartReport(beans, environment, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    DelayClient delayClient(DelayClientProperties properties, ObjectProvider<SslBundles> bundles) {
        DelayClient.Builder builder = DelayClient.builder()
                .endpoints(properties.endpoints().toArray(String[]::new))
                .tokenSetting("the property mykit.delay.client.token")
                .timeout(properties.timeout())
                .retryFor(properties.retryFor())
                .httpClient(HttpClients.open(properties, bundles));
        if (!properties.token().isEmpty()) {
            builder.token(properties.token());
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            // Spring Boot shows its form, and where the property is set.
            throw new InvalidConfigurationPropertyValueException(
                    "mykit.delay.client.endpoints",
                    String.join(",", properties.endpoints()),
                    e.getMessage() + ". The form is http://delay-1:6355,http://delay-2:6355: a URL for each server,"
                            + " separated by , (not by a full-width comma)");
        }
    }

    @Bean
    @ConditionalOnMissingBean
    PayloadFormat delayPayloadFormat(BeanFactory beans) {
        return JsonFormats.choose(beans);
    }

    @Bean
    @ConditionalOnMissingBean
    DelayTemplate delayTemplate(PayloadFormat format, DelayClient client, ObjectProvider<TemplateCalls> outbox) {
        TemplateCalls calls = outbox.getIfAvailable(() -> TRANSACTIONS ? new AfterCommit(client) : new AtOnce(client));
        return new DelayTemplate(format, calls);
    }
}
