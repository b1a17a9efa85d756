package io.mykit.delay.client.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.Set;

/** An object of the broker's client with all its JMS interfaces. It passes a call on unless the subclass knows better. */
abstract class JmsProxy implements InvocationHandler {
    private static final Object[] NONE = {};

    private final Object delegate;

    JmsProxy(Object delegate) {
        this.delegate = delegate;
    }

    /** A proxy of this handler. */
    final <T> T as(Class<T> type) {
        Class<?>[] interfaces = interfaces(delegate.getClass()).stream()
                .filter(found -> found.getPackage().equals(type.getPackage()))
                .toArray(Class<?>[]::new);
        return type.cast(Proxy.newProxyInstance(ConnectionFactory.class.getClassLoader(), interfaces, this));
    }

    /** All interfaces of a class, those of its parents too. */
    static Set<Class<?>> interfaces(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> face : each.getInterfaces()) {
                found.add(face);
                found.addAll(interfaces(face));
            }
        }
        return found;
    }

    @Override
    public final Object invoke(Object proxy, Method method, Object[] given) throws Throwable {
        Object[] arguments = given == null ? NONE : given;
        if (method.getDeclaringClass() != Object.class) {
            return call(proxy, method, arguments);
        }
        return switch (method.getName()) {
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "delayed sends before " + delegate;
        };
    }

    /** @return what the method of the interface returns */
    abstract Object call(Object proxy, Method method, Object[] arguments) throws Throwable;

    final Object pass(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(delegate, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The same failure, for the simplified API. Its cause is the given one. */
    static JMSRuntimeException unchecked(JMSException e) {
        if (e instanceof MessageFormatException) {
            return new MessageFormatRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
        if (e instanceof InvalidDestinationException) {
            return new InvalidDestinationRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
        return new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
    }
}
