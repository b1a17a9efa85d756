package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.rocketmq.DelayedSends;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.messaging.support.MessageBuilder;

/** The template of rocketmq-spring, whose producer is intercepted. There is no broker, so what goes to it fails. */
@Timeout(120)
class RocketMqTemplateTest {
    private static final String NO_BROKER = "connect to 127.0.0.1:1";

    private final DelayServerStub server = new DelayServerStub();
    private final LogLines log = new LogLines();
    private final ApplicationContextRunner plain = Contexts.of(server)
            .withConfiguration(AutoConfigurations.of(RocketMQAutoConfiguration.class))
            .withPropertyValues("rocketmq.name-server=127.0.0.1:1", "rocketmq.producer.group=shop");
    private final ApplicationContextRunner application =
            plain.withPropertyValues("mykit.delay.client.rocketmq.enabled=true");

    @AfterEach
    void close() {
        log.close();
        server.close();
    }

    @Test
    void delayedMessagesOfTheTemplateArePushed() {
        application.withBean(SimpleMeterRegistry.class).run(context -> {
            RocketMQTemplate template = context.getBean(RocketMQTemplate.class);
            SendResult sent = template.syncSendDelayTimeMills(
                    "orders:cancel",
                    MessageBuilder.withPayload("not paid")
                            .setHeader("KEYS", "order-4711")
                            .setHeader("userId", "7")
                            .build(),
                    60_000);

            JsonObject push = server.pushed().get(0);
            assertThat(push.text("id")).isEqualTo(sent.getMsgId());
            assertThat(push.text("topic")).isEqualTo("orders");
            assertThat(push.text("subtopic")).isEqualTo("cancel");
            assertThat(push.text("bizKey")).isEqualTo("order-4711");
            assertThat(push.text("body")).isEqualTo("not paid");
            assertThat(push.integer("delay")).isEqualTo(60_000);
            assertThat(push.texts("headers"))
                    .containsEntry("KEYS", "order-4711")
                    .containsEntry("userId", "7")
                    .containsKey("id");

            template.syncSend("orders", MessageBuilder.withPayload("x").build(), 30_000, 4);
            template.syncSendDeliverTimeMills("orders", "x", System.currentTimeMillis() + 60_000);
            CompletableFuture<SendResult> told = new CompletableFuture<>();
            template.asyncSend("orders", MessageBuilder.withPayload("x").build(), told(told), 30_000, 5);
            told.get(30, TimeUnit.SECONDS);
            assertThat(server.pushed()).hasSize(4);
            assertThat(server.pushed().get(1).integer("delay")).isEqualTo(30_000);
            assertThat(server.pushed().get(3).integer("delay")).isEqualTo(60_000);

            assertThat(template.getProducer().recallMessage("orders", sent.getRecallHandle()))
                    .isEqualTo(sent.getMsgId());
            assertThat(server.calls()).contains("/delete " + sent.getMsgId());
            assertThat(context.getBean(MeterRegistry.class)
                            .get("mykit.delay.rocketmq.sends")
                            .tag("outcome", "accepted")
                            .functionCounter()
                            .count())
                    .isEqualTo(4);
            assertThat(log.lines())
                    .anyMatch(line -> line.contains("delayed messages of defaultMQProducer go to mykit-delay"));
        });
    }

    @Test
    void theProducerStaysWhatItIsForAllOthers() {
        application.run(context -> {
            RocketMQTemplate template = context.getBean(RocketMQTemplate.class);
            DefaultMQProducer producer = template.getProducer();
            assertThat(producer)
                    .isInstanceOf(TransactionMQProducer.class)
                    .isSameAs(context.getBean("defaultMQProducer"));
            assertThat(producer.getProducerGroup()).isEqualTo("shop");
            assertThatThrownBy(() -> template.syncSend("orders", "now")).hasStackTraceContaining(NO_BROKER);
            assertThatThrownBy(() -> template.syncSendOrderly("orders", "now", "key"))
                    .hasStackTraceContaining(NO_BROKER);
            assertThat(server.pushed()).isEmpty();
        });
    }

    @Test
    void whatCannotBeDelayedIsRefused() {
        application.run(context -> {
            DefaultMQProducer producer = context.getBean(DefaultMQProducer.class);
            MessageQueue queue = new MessageQueue("orders", "broker", 0);
            assertThatThrownBy(() -> producer.send(delayed(), queue))
                    .isInstanceOf(MQClientException.class)
                    .hasMessageContaining("to a chosen queue");
            assertThatThrownBy(() -> producer.send(List.of(delayed()), queue, 1000))
                    .hasMessageContaining("to a chosen queue");
            assertThatThrownBy(() -> producer.send(delayed(), (queues, message, key) -> queues.get(0), "key"))
                    .hasMessageContaining("to a chosen queue");
            assertThatThrownBy(() -> producer.request(delayed(), 1000)).hasMessageContaining("as a request");
            assertThatThrownBy(() -> producer.sendMessageInTransaction(delayed(), null))
                    .hasMessageContaining("in a transaction");
            assertThat(server.pushed()).isEmpty();
            producer.sendOneway(delayed());
            assertThat(context.getBean(DelayedSends.class).awaitIdle(Duration.ofSeconds(30)))
                    .isTrue();
            assertThat(server.pushed()).hasSize(1);
        });
    }

    @Test
    void theSettingsAreThoseOfTheProperties() {
        application
                .withPropertyValues(
                        "mykit.delay.client.rocketmq.topics=orders",
                        "mykit.delay.client.rocketmq.min-delay=5s",
                        "mykit.delay.client.rocketmq.delay-levels=1m")
                .run(context -> {
                    DefaultMQProducer producer = context.getBean(DefaultMQProducer.class);
                    Message message = delayed();
                    message.setDelayTimeLevel(1);
                    producer.send(message);
                    assertThat(server.pushed().get(0).integer("delay")).isEqualTo(60_000);
                    message.setDelayTimeLevel(0);
                    message.setDelayTimeMs(4999);
                    assertThatThrownBy(() -> producer.send(message)).hasStackTraceContaining(NO_BROKER);
                    message.setDelayTimeMs(5000);
                    message.setTopic("others");
                    assertThatThrownBy(() -> producer.send(message)).hasStackTraceContaining(NO_BROKER);
                });
        application
                .withPropertyValues("mykit.delay.client.rocketmq.delay-levels=soon")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("messageDelayLevel"));
    }

    @Test
    void withoutThePropertyNothingIsIntercepted() {
        plain.run(context -> {
            assertThat(context).doesNotHaveBean(DelayedSends.class);
            assertThat(AopUtils.isAopProxy(context.getBean(DefaultMQProducer.class)))
                    .isFalse();
        });
    }

    @Test
    void theClientOfRocketMqHasToBeThere() {
        Contexts.of(server)
                .withPropertyValues("mykit.delay.client.rocketmq.enabled=true")
                .withClassLoader(new FilteredClassLoader(DefaultMQProducer.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("mykit.delay.client.rocketmq.enabled needs rocketmq-client"));
    }

    private static Message delayed() {
        Message message = new Message("orders", "x".getBytes(StandardCharsets.UTF_8));
        message.setDelayTimeMs(60_000);
        return message;
    }

    private static SendCallback told(CompletableFuture<SendResult> future) {
        return new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
                future.complete(result);
            }

            @Override
            public void onException(Throwable e) {
                future.completeExceptionally(e);
            }
        };
    }
}
