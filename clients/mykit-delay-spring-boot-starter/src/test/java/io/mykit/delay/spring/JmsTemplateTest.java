package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.jms.DelayConnectionFactory;
import io.mykit.delay.client.json.JsonObject;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.UUID;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.ActiveMQXAConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jms.JmsException;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** A JmsTemplate whose connection factory is intercepted, with a broker of ActiveMQ in this process. */
@Timeout(120)
class JmsTemplateTest {
    private final DelayServerStub server = new DelayServerStub();
    private final LogLines log = new LogLines();
    private final String url = "vm://" + UUID.randomUUID() + "?broker.persistent=false&broker.useJmx=false";
    private final ApplicationContextRunner application =
            Contexts.of(server).withPropertyValues("mykit.delay.client.jms.enabled=true");

    /** The broker lives as long as it has a connection. */
    private Connection kept;

    @BeforeEach
    void startBroker() throws JMSException {
        kept = new ActiveMQConnectionFactory(url).createConnection();
        kept.start();
    }

    @AfterEach
    void close() throws JMSException {
        kept.close();
        log.close();
        server.close();
    }

    @Test
    void delayedMessagesOfTheTemplateArePushedAndAllOthersGoToTheBroker() {
        withFactory(new ActiveMQConnectionFactory(url))
                .withBean(SimpleMeterRegistry.class)
                .run(context -> {
                    assertThat(context.getBean(ConnectionFactory.class)).isInstanceOf(DelayConnectionFactory.class);
                    JmsTemplate template = template(context);
                    template.convertAndSend("orders", "at once");
                    template.setDeliveryDelay(60_000);
                    template.convertAndSend("orders", "later", message -> {
                        message.setIntProperty("reminder", 1);
                        return message;
                    });
                    assertPushed(1);
                    assertThatThrownBy(() -> template.convertAndSend("orders", new byte[0], message -> {
                                message.setStringProperty("AMQ_SCHEDULED_CRON", "* * * * *");
                                return message;
                            }))
                            .isInstanceOf(JmsException.class)
                            .cause()
                            .hasMessageContaining("AMQ_SCHEDULED_CRON");
                    server.refuse("/push", "ID_CONFLICT");
                    assertThatThrownBy(() -> template.convertAndSend("orders", "refused"))
                            .isInstanceOf(JmsException.class)
                            .cause()
                            .hasMessageContaining("was not pushed to mykit-delay: HTTP 409 ID_CONFLICT");
                    server.hangUp("/push");
                    assertThatThrownBy(() -> template.convertAndSend("orders", "unanswered"))
                            .isInstanceOf(JmsException.class);
                    template.setReceiveTimeout(10_000);
                    assertThat(((TextMessage) template.receive("orders")).getText())
                            .isEqualTo("at once");
                    assertThat(count(context, "accepted")).isEqualTo(1);
                    assertThat(count(context, "refused")).isEqualTo(2);
                    assertThat(count(context, "unanswered")).isEqualTo(1);
                    assertThat(log.lines())
                            .anyMatch(line -> line.contains("delayed messages of broker go to mykit-delay"));
                });
    }

    private static double count(ApplicationContext context, String outcome) {
        return context.getBean(MeterRegistry.class)
                .get("mykit.delay.jms.sends")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    /** Listeners and health look for its type. */
    @Test
    void aCachingConnectionFactoryStaysOne() {
        withFactory(new CachingConnectionFactory(new ActiveMQConnectionFactory(url)))
                .run(context -> {
                    CachingConnectionFactory caching = context.getBean(CachingConnectionFactory.class);
                    assertThat(caching.getTargetConnectionFactory()).isInstanceOf(DelayConnectionFactory.class);
                    JmsTemplate template = template(context);
                    for (int i = 1; i <= 3; i++) {
                        template.setDeliveryDelay(60_000);
                        template.convertAndSend("orders", "later");
                        assertPushed(i);
                        // The cached producer forgets the delay of its last user.
                        template.setDeliveryDelay(-1);
                        template.convertAndSend("orders", "at once");
                        template.setReceiveTimeout(10_000);
                        assertThat(((TextMessage) template.receive("orders")).getText())
                                .isEqualTo("at once");
                    }
                    caching.destroy();
                });
    }

    @Test
    void aTransactionOfSpringPushesAfterItsCommit() {
        withFactory(new ActiveMQConnectionFactory(url)).run(context -> {
            JmsTemplate template = template(context);
            template.setSessionTransacted(true);
            template.setDeliveryDelay(60_000);
            TransactionTemplate transaction =
                    new TransactionTemplate(new JmsTransactionManager(context.getBean(ConnectionFactory.class)));
            transaction.executeWithoutResult(status -> {
                template.convertAndSend("orders", "later");
                template.convertAndSend("orders", "later");
                assertPushed(0);
            });
            assertPushed(2);
            transaction.executeWithoutResult(status -> {
                template.convertAndSend("orders", "rolled back");
                status.setRollbackOnly();
            });
            assertPushed(2);
        });
    }

    @Test
    void isOffUntilItIsSwitchedOn() {
        Contexts.of(server)
                .withBean("broker", ConnectionFactory.class, () -> new ActiveMQConnectionFactory(url))
                .run(context -> {
                    assertThat(context.getBean(ConnectionFactory.class)).isInstanceOf(ActiveMQConnectionFactory.class);
                    assertThat(log.lines()).noneMatch(line -> line.contains("go to mykit-delay"));
                });
    }

    @Test
    void whatCannotBeInterceptedStopsTheStart() {
        withFactory(new ActiveMQXAConnectionFactory(url)).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("is for XA, and a delayed message cannot be part of an XA transaction"));
        application.withClassLoader(new FilteredClassLoader("jakarta.jms")).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("mykit.delay.client.jms.enabled needs a client of Jakarta Messaging"));
    }

    private ApplicationContextRunner withFactory(ConnectionFactory factory) {
        return application.withBean("broker", ConnectionFactory.class, () -> factory);
    }

    private static JmsTemplate template(ApplicationContext context) {
        return new JmsTemplate(context.getBean(ConnectionFactory.class));
    }

    private void assertPushed(int messages) {
        assertThat(server.pushed()).hasSize(messages).allSatisfy(JmsTemplateTest::assertLater);
    }

    private static void assertLater(JsonObject push) {
        assertThat(push.text("topic")).isEqualTo("orders");
        assertThat(push.text("body")).isEqualTo("later");
        assertThat(push.integer("delay")).isBetween(1L, 60_000L);
        assertThat(push.texts("target")).containsEntry("destination", "queue");
    }
}
