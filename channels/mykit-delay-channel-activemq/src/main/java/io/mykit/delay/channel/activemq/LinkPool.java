package io.mykit.delay.channel.activemq;

import jakarta.jms.JMSException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Connections that wait for their next batch. Their number is the highest number of batches that were ever sent at the same
 * time. Thread-safe; no code blocks while it holds the lock.
 */
final class LinkPool {
    private final ActiveMQConnectionFactory connections;
    /** Guarded by this. The connection that was used last is taken next, so that the others become idle in quiet times. */
    private final Deque<BrokerLink> idle = new ArrayDeque<>();
    /** Guarded by this; idle or in use. */
    private final Set<BrokerLink> open = new HashSet<>();
    /** Guarded by this. */
    private boolean closed;

    LinkPool(ActiveMQConnectionFactory connections) {
        this.connections = connections;
    }

    /** A connection that looked alive a moment ago, or a new one. It blocks while it connects. */
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

    /** Ends a connection that must not be used again. It may block for a while. */
    void drop(BrokerLink link) {
        synchronized (this) {
            open.remove(link);
        }
        link.cut();
    }

    /** The number of connections, idle or in use. */
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
