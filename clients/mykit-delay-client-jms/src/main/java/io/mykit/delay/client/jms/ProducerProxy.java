package io.mykit.delay.client.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** A producer that keeps delayed messages from the broker. For one thread, as a producer is. */
final class ProducerProxy extends JmsProxy {
    private final MessageProducer producer;
    private final Sends sends;
    /** The broker's own producer may refuse it, so it is not told. */
    private long deliveryDelayMs;

    private ProducerProxy(MessageProducer producer, Sends sends) {
        super(producer);
        this.producer = producer;
        this.sends = sends;
    }

    static MessageProducer of(MessageProducer producer, Sends sends) {
        return new ProducerProxy(producer, sends).as(MessageProducer.class);
    }

    @Override
    Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "setDeliveryDelay" -> {
                deliveryDelayMs = Delays.checked("deliveryDelay", (long) arguments[0]);
                return null;
            }
            case "getDeliveryDelay" -> {
                return deliveryDelayMs;
            }
            case "send", "publish" -> {
                Arguments send = Arguments.of(method, arguments);
                long delayMs = sends.delayOf(send.message(), deliveryDelayMs);
                if (delayMs > 0) {
                    delay(send, delayMs);
                    return null;
                }
                return pass(method, arguments);
            }
            default -> {
                return pass(method, arguments);
            }
        }
    }

    private void delay(Arguments send, long delayMs) throws JMSException {
        boolean isTold = send.numbers().size() == 3;
        SendOptions options = new SendOptions(
                isTold ? send.numbers().get(0).intValue() : producer.getDeliveryMode(),
                isTold ? send.numbers().get(1).intValue() : producer.getPriority(),
                isTold ? send.numbers().get(2).longValue() : producer.getTimeToLive(),
                delayMs);
        sends.send(destination(send), send.message(), options, send.listener());
    }

    private Destination destination(Arguments send) throws JMSException {
        Destination own = producer.getDestination();
        if (own != null && send.hasDestination()) {
            throw new UnsupportedOperationException("the producer has the destination " + own + " already");
        }
        if (own == null && !send.hasDestination()) {
            throw new UnsupportedOperationException("the producer has no destination, so a send must name one");
        }
        return own == null ? send.destination() : own;
    }

    /**
     * The arguments of any method that sends: [destination], message, [mode, priority, time to live], [listener].
     *
     * @param numbers delivery mode, priority and time to live, or none
     */
    private record Arguments(
            Destination destination,
            boolean hasDestination,
            Message message,
            List<Number> numbers,
            CompletionListener listener) {
        static Arguments of(Method method, Object[] arguments) {
            boolean hasDestination = Destination.class.isAssignableFrom(method.getParameterTypes()[0]);
            int place = hasDestination ? 1 : 0;
            List<Number> numbers = new ArrayList<>();
            CompletionListener listener = null;
            for (int i = place + 1; i < arguments.length; i++) {
                if (arguments[i] instanceof Number number) {
                    numbers.add(number);
                } else {
                    listener = (CompletionListener) arguments[i];
                }
            }
            return new Arguments(
                    hasDestination ? (Destination) arguments[0] : null,
                    hasDestination,
                    (Message) arguments[place],
                    numbers,
                    listener);
        }
    }
}
