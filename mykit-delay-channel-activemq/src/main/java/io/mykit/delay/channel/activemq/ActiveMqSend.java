package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.BoundedSend;
import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The sends of one batch: a transaction for each part, but for those of a single message. */
final class ActiveMqSend implements BoundedSend {
    private final LinkUse use;
    private final MessageMapping mapping;
    private final String topic;

    ActiveMqSend(LinkPool links, MessageMapping mapping, String topic, Executor aside) {
        this.use = new LinkUse(links, aside);
        this.mapping = mapping;
        this.topic = topic;
    }

    @Override
    public Fate send(List<DelayMessage> part) throws Exception {
        return part.size() == 1 ? sendAlone(part.get(0)) : sendTogether(part);
    }

    private Fate sendAlone(DelayMessage message) throws Exception {
        BrokerLink link = use.take();
        try {
            // Killed here: the broker has stored it or it has not. Not knowing, we send it again.
            link.sendAlone(mapping, topic, message);
        } catch (Exception e) {
            Optional<Delivery> fault = SendFaults.ofMessage(e);
            if (fault.isEmpty()) {
                use.drop();
                throw e;
            }
            use.giveBack();
            return Fate.ofSomebody(fault.get());
        }
        use.giveBack();
        return Fate.ofAll(Delivery.DELIVERED);
    }

    private Fate sendTogether(List<DelayMessage> part) throws Exception {
        BrokerLink link = use.take();
        try {
            link.send(mapping, topic, part);
        } catch (Exception e) {
            return rolledBack(link, e);
        }
        try {
            // Killed here: the broker has committed or it has not. Not knowing, we send the messages again.
            link.commit();
        } catch (Exception e) {
            use.drop();
            if (SendFaults.isRolledBack(e)) {
                return Fate.ofSomebody(Delivery.failed("ActiveMQ: " + Reasons.of(e)));
            }
            throw e;
        }
        use.giveBack();
        return Fate.ofAll(Delivery.DELIVERED);
    }

    @Override
    public void abandon() {
        use.abandon();
    }

    /** Nothing is stored any more once the rollback was answered, so it can be tried without the culprit. */
    private Fate rolledBack(BrokerLink link, Exception thrown) throws Exception {
        Optional<Delivery> fault = SendFaults.ofMessage(thrown);
        try {
            link.rollback();
            use.giveBack();
        } catch (JMSException e) {
            use.drop();
            thrown.addSuppressed(e);
            throw thrown;
        }
        if (fault.isPresent()) {
            return Fate.ofSomebody(fault.get());
        }
        throw thrown;
    }
}
