package io.mykit.delay.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.client.kafka.DelayInterceptor;
import io.mykit.delay.client.kafka.Delayed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.ProducerFactory;

/** Producer factories with the interceptor. There is no broker: the integration tests of the interceptor have one. */
@Timeout(60)
class KafkaTemplateTest {
    private final DelayServerStub server = new DelayServerStub();
    private final LogLines log = new LogLines();
    private final ApplicationContextRunner application = Contexts.of(server)
            .withPropertyValues("mykit.delay.client.kafka.enabled=true", "mykit.delay.client.kafka.topic=pushes");

    @AfterEach
    void close() {
        log.close();
        server.close();
    }

    /** An interceptor of the application. */
    public static final class Own implements ProducerInterceptor<String, String> {
        @Override
        public ProducerRecord<String, String> onSend(ProducerRecord<String, String> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            // Nothing.
        }

        @Override
        public void close() {
            // Nothing.
        }

        @Override
        public void configure(Map<String, ?> settings) {
            // Nothing.
        }
    }

    static List<Object> given() {
        String own = Own.class.getName();
        String ours = DelayInterceptor.class.getName();
        return List.of(
                own, " " + own + " , " + ours, List.of(own), List.of(Own.class, DelayInterceptor.class), Own.class);
    }

    @ParameterizedTest
    @MethodSource("given")
    void theInterceptorIsTheLastOne(Object given) {
        factory(Map.of(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG, given))
                .run(context -> assertThat((List<?>) configuration(context.getBean(ProducerFactory.class))
                                .get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG))
                        .map(each -> each instanceof Class<?> type ? type.getName() : each)
                        .isEqualTo(List.of(Own.class.getName(), DelayInterceptor.class.getName())));
    }

    /** As the producer makes it: by its configuration alone. */
    @Test
    void recordsGoToTheTopicOfThePropertyAndAreCounted() {
        factory(Map.of()).withBean(SimpleMeterRegistry.class).run(context -> {
            Map<String, Object> configuration = configuration(context.getBean(ProducerFactory.class));
            List<String> topics = new ArrayList<>();
            for (Object name : (List<?>) configuration.get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG)) {
                DelayInterceptor<String, String> interceptor = made((String) name);
                interceptor.configure(configuration);
                topics.add(interceptor
                        .onSend(Delayed.delay(new ProducerRecord<>("orders", "later"), Duration.ofMinutes(1)))
                        .topic());
                topics.add(interceptor
                        .onSend(new ProducerRecord<>("orders", "now"))
                        .topic());
            }
            assertThat(topics).containsExactly("pushes", "orders");
            assertThat(context.getBean(SimpleMeterRegistry.class)
                            .get("mykit.delay.kafka.sends")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(log.lines()).anyMatch(line -> line.contains("delayed records of factory go to mykit-delay"));
        });
    }

    @SuppressWarnings("unchecked")
    private static DelayInterceptor<String, String> made(String name) throws ClassNotFoundException {
        return Utils.newInstance(name, DelayInterceptor.class);
    }

    @Test
    void withoutKafkaTheStartFails() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.kafka"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("mykit.delay.client.kafka.enabled needs spring-kafka"));
    }

    private ApplicationContextRunner factory(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        return application.withBean(
                "factory",
                DefaultKafkaProducerFactory.class,
                () -> new DefaultKafkaProducerFactory<String, String>(settings));
    }

    private static Map<String, Object> configuration(ProducerFactory<?, ?> factory) {
        return factory.getConfigurationProperties();
    }
}
