package io.mykit.delay.spring.jms;

import io.mykit.delay.client.jms.DelayConnectionFactory;
import io.mykit.delay.client.jms.DelayedSendListener;
import io.mykit.delay.client.jms.DelayedSender;
import jakarta.jms.ConnectionFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jms.connection.SingleConnectionFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Puts a {@link DelayConnectionFactory} before each bean that is a connection factory. Thread-safe. */
public final class DelayedConnections implements BeanPostProcessor {
    private static final boolean HAS_SPRING_JMS = ClassUtils.isPresent(
            "org.springframework.jms.connection.SingleConnectionFactory", DelayedConnections.class.getClassLoader());

    private final List<String> names = new CopyOnWriteArrayList<>();
    /** Asked for at the first delayed message: the beans behind them may need a connection factory. */
    private final SingletonSupplier<DelayedSender> sender;

    private final SingletonSupplier<DelayedSendListener> listener;

    public DelayedConnections(ObjectProvider<DelayedSender> sender, ObjectProvider<DelayedSendListener> listener) {
        this.sender = SingletonSupplier.of(sender::getObject);
        this.listener = SingletonSupplier.of(() -> listener.getIfAvailable(() -> DelayedSendListener.NONE));
    }

    /** The beans that are intercepted. */
    public List<String> names() {
        return List.copyOf(names);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof ConnectionFactory factory) || bean instanceof DelayConnectionFactory) {
            return bean;
        }
        names.add(name);
        return HAS_SPRING_JMS && Single.isTarget(factory) ? Single.intercepted(factory, this) : before(factory);
    }

    private ConnectionFactory before(ConnectionFactory factory) {
        return new DelayConnectionFactory(
                factory, messages -> sender.obtain().push(messages), (destination, outcome) -> listener.obtain()
                        .delayed(destination, outcome));
    }

    /** A factory of Spring stays what it is, because listeners and health look for its type, and for what is behind it. */
    private static final class Single {
        private Single() {}

        static boolean isTarget(ConnectionFactory factory) {
            return factory instanceof SingleConnectionFactory single && single.getTargetConnectionFactory() != null;
        }

        static ConnectionFactory intercepted(ConnectionFactory factory, DelayedConnections all) {
            SingleConnectionFactory single = (SingleConnectionFactory) factory;
            ConnectionFactory target = single.getTargetConnectionFactory();
            if (!(target instanceof DelayConnectionFactory)) {
                single.setTargetConnectionFactory(all.before(target));
            }
            return single;
        }
    }
}
