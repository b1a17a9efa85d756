package io.mykit.delay.channel.activemq;

import jakarta.jms.JMSException;
import java.util.concurrent.Executor;

/**
 * The use of one connection by one thread, which another thread may end at any moment. A connection whose use was ended
 * so, or that was not given back, is cut: nobody knows what is still on its way over it.
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

    /** The connection; taken from the pool at the first call. */
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

    /** All is well with it: others may have it. */
    void giveBack() {
        BrokerLink used = release();
        if (used != null) {
            links.giveBack(used);
        }
    }

    /** Something is wrong with it. */
    void drop() {
        BrokerLink used = release();
        if (used != null) {
            links.drop(used);
        }
    }

    /** Does not block; for another thread. */
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
