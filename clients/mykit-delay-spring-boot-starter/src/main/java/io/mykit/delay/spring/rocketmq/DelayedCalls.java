package io.mykit.delay.spring.rocketmq;

import io.mykit.delay.client.rocketmq.DelayedSend;
import io.mykit.delay.client.rocketmq.DelayedSends;
import io.mykit.delay.client.rocketmq.Unsupported;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.MessageQueueSelector;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The calls of a producer, of which those with delayed messages go to mykit-delay. It does what {@code DelayingMQProducer} does, for a
 * producer that another library makes. Thread-safe.
 */
record DelayedCalls(DefaultMQProducer producer, DelayedSends sends) implements MethodInterceptor {
    @Override
    public Object invoke(MethodInvocation call) throws Throwable {
        return switch (call.getMethod().getName()) {
            case "send", "sendOneway", "request", "sendMessageInTransaction" -> sent(call);
            case "recallMessage" -> recalled(call);
            default -> call.proceed();
        };
    }

    private Object recalled(MethodInvocation call) throws Throwable {
        String handle = (String) call.getArguments()[1];
        return DelayedSends.isOurs(handle) ? sends.recall(handle, producer.getSendMsgTimeout()) : call.proceed();
    }

    private Object sent(MethodInvocation call) throws Throwable {
        Object[] arguments = call.getArguments();
        Optional<DelayedSend> found = delayed(arguments[0]);
        if (found.isEmpty()) {
            return call.proceed();
        }
        DelayedSend delayed = found.get();
        switch (call.getMethod().getName()) {
            case "request" -> throw delayed.refusal(Unsupported.REQUEST);
            case "sendMessageInTransaction" -> throw delayed.refusal(Unsupported.TRANSACTION);
            default -> {
                if (has(call, MessageQueue.class) || has(call, MessageQueueSelector.class)) {
                    throw delayed.refusal(Unsupported.CHOSEN_QUEUE);
                }
            }
        }
        long timeoutMs = of(arguments, Long.class).findFirst().orElse((long) producer.getSendMsgTimeout());
        if (call.getMethod().getName().equals("sendOneway")) {
            delayed.sendOneway(timeoutMs);
            return null;
        }
        if (has(call, SendCallback.class)) {
            delayed.send(of(arguments, SendCallback.class).findFirst().orElseThrow(), timeoutMs);
            return null;
        }
        return delayed.send(timeoutMs);
    }

    @SuppressWarnings("unchecked") // The one overload with a collection has messages.
    private Optional<DelayedSend> delayed(Object first) throws MQClientException {
        if (first instanceof Message message) {
            return sends.of(producer, message);
        }
        return first instanceof Collection<?> batch
                ? sends.of(producer, (Collection<Message>) batch)
                : Optional.empty();
    }

    /** Whether the method has a parameter of this type, also if its argument is null. */
    private static boolean has(MethodInvocation call, Class<?> type) {
        return Arrays.asList(call.getMethod().getParameterTypes()).contains(type);
    }

    private static <T> Stream<T> of(Object[] arguments, Class<T> type) {
        return Arrays.stream(arguments).filter(type::isInstance).map((Function<Object, T>) type::cast);
    }
}
