package io.mykit.delay.channel.activemq;

import jakarta.jms.JMSException;
import java.util.concurrent.Executor;

/**
 * The use of one connection by one thread. Another thread may end it at any moment. A connection whose use was ended in
 * this way, or that was not given back, is cut, because the state of its open commands is unknown.
 */
final class LinkUse {
    private final LinkPool links;
    private final Executor aside;
    /** Guarded by this. */
    private BrokerLink link;
    /** Guarded by this. */
    private boolean abandoned;

    LinkUse(LinkPool links, Executor aside) {
        this.links = links;
        this.aside = aside;
    }

    /** The connection. The first call takes it from the pool. */
    BrokerLink take() throws JMSException {
        synchronized (this) {
            if (link != null) {
                return link;
            }
        }
        BrokerLink taken = links.take();
        synchronized (this) {
            if (!abandoned) {
                link = taken;
                return taken;
            }
        }
        links.drop(taken);
        throw new JMSException("too late");
    }

    /** Gives a working connection back to the pool. */
    void giveBack() {
        BrokerLink used = release();
        if (used != null) {
            links.giveBack(used);
        }
    }

    /** Drops a connection after a failure. */
    void drop() {
        BrokerLink used = release();
        if (used != null) {
            links.drop(used);
        }
    }

    /** Ends the use from another thread. It does not block. */
    void abandon() {
        BrokerLink used;
        synchronized (this) {
            abandoned = true;
            used = release();
        }
        if (used != null) {
            aside.execute(() -> links.drop(used));
        }
    }

    private synchronized BrokerLink release() {
        BrokerLink used = link;
        link = null;
        return used;
    }
}
