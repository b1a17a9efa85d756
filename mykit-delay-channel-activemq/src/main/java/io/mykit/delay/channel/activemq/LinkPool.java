package io.mykit.delay.channel.activemq;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Connections that wait for their next batch: as many as batches were ever under way at once. Thread-safe; nothing
 * blocks while the lock is held.
 */
final class LinkPool {
    private final ActiveMQConnectionFactory connections;
    /** Guarded by this; the one used last is used next, so that a quiet time is noticed by the others. */
    private final Deque<BrokerLink> idle = new ArrayDeque<>();
    /** Guarded by this; idle or in use. */
    private final Set<BrokerLink> open = new HashSet<>();
    /** Guarded by this. */
    private boolean closed;

    LinkPool(ActiveMQConnectionFactory connections) {
        this.connections = connections;
    }

    /** A connection that looked alive a moment ago, or a new one. Blocks as long as connecting does. */
    BrokerLink take() throws JMSException {
        for (BrokerLink link = pollIdle(); link != null; link = pollIdle()) {
            if (link.isAlive()) {
                return link;
            }
            drop(link);
        }
        BrokerLink link = BrokerLink.open(connections);
        if (!register(link)) {
            link.cut();
            throw new jakarta.jms.IllegalStateException("the channel is closed");
        }
        return link;
    }

    void giveBack(BrokerLink link) {
        synchronized (this) {
            if (!closed && link.isAlive()) {
                idle.push(link);
                return;
            }
        }
        drop(link);
    }

    /** Ends a connection that must not be used any more. May block for a while. */
    void drop(BrokerLink link) {
        synchronized (this) {
            open.remove(link);
        }
        link.cut();
    }

    /** How many connections there are. */
    synchronized int open() {
        return open.size();
    }

    void close() {
        Set<BrokerLink> toClose;
        Set<BrokerLink> quiet;
        synchronized (this) {
            closed = true;
            quiet = new HashSet<>(idle);
            toClose = new HashSet<>(open);
            idle.clear();
            open.clear();
        }
        for (BrokerLink link : toClose) {
            if (quiet.contains(link) && link.isAlive()) {
                link.close();
            } else {
                link.cut();
            }
        }
    }

    private synchronized BrokerLink pollIdle() {
        return idle.poll();
    }

    private synchronized boolean register(BrokerLink link) {
        return !closed && open.add(link);
    }
}
