package io.mykit.delay.client.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.lang.reflect.Method;
import java.util.Map;

/** A producer of the simplified API that keeps delayed messages from the broker. For one thread, as its context is. */
final class ContextProducerProxy extends JmsProxy {
    private final JMSProducer producer;
    private final JMSContext context;
    private final Sends sends;
    /** The broker's own producer may refuse it, so it is not told. */
    private long deliveryDelayMs;
    /** The broker's own producer is told before it sends. */
    private CompletionListener async;

    private ContextProducerProxy(JMSProducer producer, JMSContext context, Sends sends) {
        super(producer);
        this.producer = producer;
        this.context = context;
        this.sends = sends;
    }

    static JMSProducer of(JMSProducer producer, JMSContext context, Sends sends) {
        return new ContextProducerProxy(producer, context, sends).as(JMSProducer.class);
    }

    @Override
    Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "setDeliveryDelay" -> setDelay((long) arguments[0]);
            case "setAsync" -> async = (CompletionListener) arguments[0];
            case "send" -> send(method, arguments);
            case "getDeliveryDelay" -> {
                return deliveryDelayMs;
            }
            case "getAsync" -> {
                return async;
            }
            default -> {
                Object result = pass(method, arguments);
                return result instanceof JMSProducer ? proxy : result;
            }
        }
        return proxy;
    }

    private void setDelay(long delayMs) {
        try {
            deliveryDelayMs = Delays.checked("deliveryDelay", delayMs);
        } catch (JMSException e) {
            throw unchecked(e);
        }
    }

    private void send(Method method, Object[] arguments) throws Throwable {
        try {
            Message message = message(method.getParameterTypes()[1], arguments[1]);
            giveProperties(message);
            long delayMs = sends.delayOf(message, deliveryDelayMs);
            if (delayMs > 0) {
                SendOptions options = new SendOptions(
                        producer.getDeliveryMode(), producer.getPriority(), producer.getTimeToLive(), delayMs);
                sends.send((Destination) arguments[0], message, options, async);
                return;
            }
        } catch (JMSException e) {
            throw unchecked(e);
        }
        if (async != null) {
            var unused = producer.setAsync(async);
        }
        Object unused = pass(method, arguments);
    }

    /** The message that a send with this body makes. Of a map or an object, which are refused with a delay, it has the kind alone. */
    private Message message(Class<?> kind, Object body) throws JMSException {
        if (kind == Message.class) {
            if (body == null) {
                throw new MessageFormatException("The message is null");
            }
            return (Message) body;
        }
        if (kind == String.class) {
            return context.createTextMessage((String) body);
        }
        if (kind == Map.class) {
            return context.createMapMessage();
        }
        if (kind != byte[].class) {
            return context.createObjectMessage();
        }
        var bytes = context.createBytesMessage();
        if (body != null) {
            bytes.writeBytes((byte[]) body);
        }
        return bytes;
    }

    /** What the producer has goes to each of its messages. */
    private void giveProperties(Message message) throws JMSException {
        for (String name : producer.getPropertyNames()) {
            message.setObjectProperty(name, producer.getObjectProperty(name));
        }
        if (producer.getJMSCorrelationIDAsBytes() != null) {
            message.setJMSCorrelationIDAsBytes(producer.getJMSCorrelationIDAsBytes());
        }
        if (producer.getJMSCorrelationID() != null) {
            message.setJMSCorrelationID(producer.getJMSCorrelationID());
        }
        if (producer.getJMSType() != null) {
            message.setJMSType(producer.getJMSType());
        }
        if (producer.getJMSReplyTo() != null) {
            message.setJMSReplyTo(producer.getJMSReplyTo());
        }
    }
}
