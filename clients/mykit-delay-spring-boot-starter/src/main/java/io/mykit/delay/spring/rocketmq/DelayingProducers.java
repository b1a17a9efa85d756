package io.mykit.delay.spring.rocketmq;

import io.mykit.delay.client.rocketmq.DelayedSends;
import io.mykit.delay.client.rocketmq.DelayingMQProducer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts {@link DelayedCalls} before each producer of RocketMQ that is a bean. The bean keeps its class, its settings and its life cycle, so
 * a {@code RocketMQTemplate} and the transactions of RocketMQ take it as it was.
 */
public final class DelayingProducers implements BeanPostProcessor {
    private final ObjectProvider<DelayedSends> sends;
    private final List<String> names = new CopyOnWriteArrayList<>();

    /** @param sends looked up with the first producer: a post-processor comes before other beans */
    public DelayingProducers(ObjectProvider<DelayedSends> sends) {
        this.sends = sends;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof DefaultMQProducer producer) || bean instanceof DelayingMQProducer) {
            return bean;
        }
        names.add(name);
        ProxyFactory factory = new ProxyFactory(producer);
        factory.setProxyTargetClass(true);
        factory.addAdvice(new DelayedCalls(producer, sends.getObject()));
        return factory.getProxy();
    }

    /** The names of the beans. */
    public List<String> names() {
        return List.copyOf(names);
    }
}
