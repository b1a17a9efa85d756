package io.mykit.delay.spring.listener;

import io.mykit.delay.client.Body;
import io.mykit.delay.spring.DelayedMessage;
import io.mykit.delay.spring.PayloadFormat;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean.
 *
 * @param bean the bean or its proxy; it is asked for at each message, so any scope will do
 * @param format writes results that are neither texts nor bytes
 */
record ListenerMethod(Supplier<Object> bean, Method method, Parameters parameters, PayloadFormat format)
        implements DelayedHandler {
    /** @throws IllegalStateException if the method returns a future: the message would be finished before the work is done */
    ListenerMethod {
        Class<?> returned = method.getReturnType();
        if (CompletionStage.class.isAssignableFrom(returned) || Future.class.isAssignableFrom(returned)) {
            throw new IllegalStateException("A listener returns its result, or nothing, and no future: " + method);
        }
    }

    @Override
    public Body handle(DelayedMessage message) throws Exception {
        Object[] arguments = parameters.arguments(message);
        Object target = bean.get();
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            return result(invocable.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw e;
        }
    }

    private Body result(Object returned) {
        if (returned == null) {
            return null;
        }
        if (returned instanceof byte[] bytes) {
            return Body.of(bytes);
        }
        return Body.of(returned instanceof String text ? text : format.write(returned));
    }
}
