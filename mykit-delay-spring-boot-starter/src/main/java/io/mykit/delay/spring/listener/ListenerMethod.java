package io.mykit.delay.spring.listener;

import io.mykit.delay.spring.DelayedMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Calls a method of a bean.
 *
 * @param bean the bean or its proxy; it is asked for at each message, so any scope will do
 */
record ListenerMethod(Supplier<Object> bean, Method method, Parameters parameters) implements DelayedHandler {
    @Override
    public void handle(DelayedMessage message) throws Exception {
        Object[] arguments = parameters.arguments(message);
        Object target = bean.get();
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            var unused = invocable.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }
}
