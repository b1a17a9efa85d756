package io.mykit.delay.client.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/** A session, or a context of the simplified API, that keeps delayed messages from the broker. For one thread, as a session is. */
final class SessionProxy extends JmsProxy {
    private final Sends sends;
    /** Null for a session. */
    private final JMSContext context;
    /** For further contexts. */
    private final Supplier<Sends> others;

    private SessionProxy(Object delegate, JMSContext context, Sends sends, Supplier<Sends> others) {
        super(delegate);
        this.context = context;
        this.sends = sends;
        this.others = others;
    }

    static Session of(Session session, Sends sends) {
        sends.transactedBy(session::getTransacted);
        return new SessionProxy(session, null, sends, null).as(Session.class);
    }

    /** @param sends makes those of a context */
    static JMSContext of(JMSContext context, Supplier<Sends> sends) {
        Sends own = sends.get();
        own.transactedBy(context::getTransacted);
        return new SessionProxy(context, context, own, sends).as(JMSContext.class);
    }

    @Override
    Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "commit" -> commit(method);
            case "rollback", "close" -> {
                sends.drop();
                pass(method);
            }
            default -> {
                return extended(pass(method, arguments));
            }
        }
        return null;
    }

    private void commit(Method method) throws Throwable {
        try {
            Sends.Committed delayed = sends.take();
            pass(method);
            // A crash at this line loses the delayed messages of the transaction.
            delayed.push();
        } catch (JMSException e) {
            throw context == null ? e : unchecked(e);
        }
    }

    private Object extended(Object result) {
        if (result instanceof MessageProducer producer) {
            return ProducerProxy.of(producer, sends);
        }
        if (result instanceof JMSProducer producer) {
            return ContextProducerProxy.of(producer, context, sends);
        }
        return result instanceof JMSContext other ? of(other, others) : result;
    }
}
