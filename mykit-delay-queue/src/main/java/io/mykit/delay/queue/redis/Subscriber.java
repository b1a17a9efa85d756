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
 * Listens on a channel, on a connection of its own. One round lasts as long as the connection does; the
 * {@link Upkeep} pings it, so that a server that fell silent is noticed. On Redis Cluster notices reach every node.
 */
final class Subscriber implements Loop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);
    private static final Duration RETRY = Duration.ofMillis(300);

    private final RedisServers servers;
    private final RedisSettings settings;
    private final byte[] anchor;
    private final ChannelListener listener;
    private volatile boolean closed;
    private volatile HostAndPort server;
    /** Null unless subscribed. */
    private volatile RedisLink link;

    /** @param anchor the key whose server is listened to */
    Subscriber(RedisServers servers, RedisSettings settings, byte[] anchor, ChannelListener listener) {
        this.servers = servers;
        this.settings = settings;
        this.anchor = anchor;
        this.listener = listener;
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
            // The upkeep reports it, and looks for it.
            return RETRY;
        }
        try {
            listen(address);
        } catch (JedisConnectionException e) {
            // As above.
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
                settings.connectSubscriber(address, settings.timeout().plus(Upkeep.ROUND.multipliedBy(4)));
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
            if (opened.getUnflushedObject() instanceof List<?> push
                    && push.size() == 3
                    && "message".equals(Replies.text(push.get(0)))) {
                listener.received(Replies.text(push.get(2)));
            }
        }
    }

    /** Called by the upkeep: pings the server, and leaves it if it is no longer the one to listen to. */
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
        try {
            current.sendNow(Protocol.Command.PING);
        } catch (JedisException e) {
            current.cut();
        }
    }

    /** Ends the round under way. */
    @Override
    public void close() {
        closed = true;
        RedisLink current = link;
        if (current != null) {
            current.cut();
        }
    }
}
