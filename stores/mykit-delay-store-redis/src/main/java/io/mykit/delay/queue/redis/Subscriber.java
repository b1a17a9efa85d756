package io.mykit.delay.queue.redis;

import io.mykit.delay.common.lifecycle.Loop;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Listens on a channel, on a connection of its own. One round lasts as long as the connection. {@code Upkeep} pings the
 * server on this connection, so that a silent server is noticed. On Redis Cluster, a notice reaches every node of the
 * cluster. The thread {@code redis-subscriber} runs it.
 */
final class Subscriber implements Loop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);
    private static final Duration RETRY = Duration.ofMillis(300);

    private final RedisServers servers;
    private final RedisSettings settings;
    private final byte[] anchor;
    private final ChannelListener listener;
    private final Duration pingEvery;
    private volatile boolean closed;
    private volatile HostAndPort server;
    /** The connection of the subscription; null = not subscribed. */
    private volatile RedisLink link;
    /** Whether the server has sent anything since the upkeep looked last. */
    private volatile boolean heard;

    /**
     * Listens once the loop runs.
     *
     * @param anchor the key whose server is the one to listen to
     * @param pingEvery how often a silent connection is pinged; it is closed after four pings and the timeout
     */
    Subscriber(
            RedisServers servers, RedisSettings settings, byte[] anchor, ChannelListener listener, Duration pingEvery) {
        this.servers = servers;
        this.settings = settings;
        this.anchor = anchor;
        this.listener = listener;
        this.pingEvery = pingEvery;
    }

    @Override
    public Duration runOnce() {
        HostAndPort address;
        try {
            RedisNode node = servers.of(RedisCall.slotOf(anchor));
            if (closed || node.isSilent()) {
                return RETRY;
            }
            address = node.address();
        } catch (RedisUnavailableException e) {
            // The upkeep reports the failure, and goes on trying.
            return RETRY;
        }
        try {
            listen(address);
        } catch (JedisConnectionException e) {
            // The upkeep reports this failure too.
            LOG.debug("The subscription to {} ended", address, e);
            return RETRY;
        } catch (JedisException e) {
            if (!closed && address.equals(server)) {
                throw e;
            }
        }
        return Duration.ZERO;
    }

    private void listen(HostAndPort address) {
        RedisLink opened =
                settings.connectSubscriber(address, settings.timeout().plus(pingEvery.multipliedBy(4)));
        try {
            listen(opened, address);
        } finally {
            link = null;
            opened.cut();
        }
    }

    private void listen(RedisLink opened, HostAndPort address) {
        server = address;
        opened.sendCommand(Protocol.Command.SUBSCRIBE, listener.channel());
        opened.getOne();
        link = opened;
        listener.listening();
        while (!closed) {
            Object read = opened.getUnflushedObject();
            heard = true;
            if (read instanceof List<?> push && push.size() == 3 && "message".equals(Replies.text(push.get(0)))) {
                listener.received(Replies.text(push.get(2)));
            }
        }
    }

    /**
     * The upkeep calls this. It pings the server if the connection was silent since the last call, and cuts the connection if the
     * server is not the right one any more. The answer to a ping saves the next one.
     */
    void keepAlive(HostAndPort rightServer) {
        RedisLink current = link;
        if (current == null) {
            return;
        }
        if (!rightServer.equals(server)) {
            server = rightServer;
            current.cut();
            return;
        }
        if (heard) {
            heard = false;
            return;
        }
        try {
            current.sendNow(Protocol.Command.PING);
        } catch (JedisException e) {
            current.cut();
        }
    }

    /** Ends the running round. */
    @Override
    public void close() {
        closed = true;
        RedisLink current = link;
        if (current != null) {
            current.cut();
        }
    }
}
