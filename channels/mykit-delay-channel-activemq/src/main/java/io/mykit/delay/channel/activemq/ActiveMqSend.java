package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.channel.bounded.BoundedSend;
import io.mykit.delay.channel.bounded.NotSentException;
import io.mykit.delay.common.message.DelayMessage;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The sends of one batch. Each part is one transaction; a part of one message needs none. */
final class ActiveMqSend implements BoundedSend {
    private final LinkUse use;
    private final MessageMapping mapping;

    ActiveMqSend(LinkPool links, MessageMapping mapping, Executor aside) {
        this.use = new LinkUse(links, aside);
        this.mapping = mapping;
    }

    @Override
    public Fate send(List<DelayMessage> part) throws Exception {
        return part.size() == 1 ? sendAlone(part.get(0)) : sendTogether(part);
    }

    private Fate sendAlone(DelayMessage message) throws Exception {
        BrokerLink link = connected();
        try {
            // A crash at this line leaves the result unknown: the broker has stored the message or not. It is sent
            // again.
            link.sendAlone(mapping, message);
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
        BrokerLink link = connected();
        try {
            link.send(mapping, part);
        } catch (Exception e) {
            return rolledBack(link, e);
        }
        try {
            // A crash at this line leaves the result unknown: the broker has committed or not. The messages are sent
            // again.
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

    private BrokerLink connected() throws NotSentException {
        try {
            return use.take();
        } catch (JMSException | RuntimeException e) {
            throw new NotSentException(Reasons.of(e), e);
        }
    }

    @Override
    public void abandon() {
        use.abandon();
    }

    /**
     * A broker stores no message of a part whose commit it did not get. After its answer to the rollback, the part can be sent again
     * without the message at fault.
     */
    private Fate rolledBack(BrokerLink link, Exception thrown) throws Exception {
        Optional<Delivery> fault = SendFaults.ofMessage(thrown);
        try {
            link.rollback();
            use.giveBack();
        } catch (JMSException e) {
            use.drop();
            thrown.addSuppressed(e);
            throw notSent(thrown);
        }
        if (fault.isPresent()) {
            return Fate.ofSomebody(fault.get());
        }
        throw notSent(thrown);
    }

    private static Exception notSent(Exception thrown) {
        return thrown instanceof InterruptedException ? thrown : new NotSentException(Reasons.of(thrown), thrown);
    }
}
