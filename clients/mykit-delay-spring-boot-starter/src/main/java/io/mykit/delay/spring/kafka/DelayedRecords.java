package io.mykit.delay.spring.kafka;

import io.mykit.delay.client.kafka.DelayInterceptor;
import io.mykit.delay.client.kafka.DelayedRecordListener;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.util.function.SingletonSupplier;

/** Adds the {@link DelayInterceptor} to each bean that makes producers of Kafka. Thread-safe. */
public final class DelayedRecords implements BeanPostProcessor {
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final String topic;
    private final SingletonSupplier<DelayedRecordListener> listener;

    /** @param topic from which the server takes pushes */
    public DelayedRecords(String topic, ObjectProvider<DelayedRecordListener> listener) {
        this.topic = topic;
        this.listener = SingletonSupplier.of(() -> listener.getIfAvailable(() -> any -> {}));
    }

    /** The beans that are intercepted. */
    public List<String> names() {
        return List.copyOf(names);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof DefaultKafkaProducerFactory<?, ?> factory) {
            Map<String, Object> more = new HashMap<>();
            more.put(
                    ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
                    withOurs(factory.getConfigurationProperties().get(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG)));
            more.put(DelayInterceptor.TOPIC_CONFIG, topic);
            DelayedRecordListener told = delayed -> listener.obtain().delayed(delayed);
            more.put(DelayInterceptor.LISTENER_CONFIG, told);
            factory.updateConfigs(more);
            names.add(name);
        }
        return bean;
    }

    /** The last one: those of the application see the record as it was sent. */
    private static List<Object> withOurs(Object given) {
        List<Object> all = new ArrayList<>();
        if (given instanceof Collection<?> several) {
            all.addAll(several);
        } else if (given instanceof String text) {
            all.addAll(Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList());
        } else if (given != null) {
            all.add(given);
        }
        all.removeIf(each -> each.equals(DelayInterceptor.class) || each.equals(DelayInterceptor.class.getName()));
        all.add(DelayInterceptor.class.getName());
        return all;
    }
}
