package io.mykit.delay.queue.redis;

import java.io.IOException;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * A connection that is used by one thread at a time, and can be cut off by another one when a write hangs: a socket's
 * timeout bounds reads only, and a frozen server stops reading.
 */
final class RedisLink extends Connection {
    /** {@link System#nanoTime()} when the write under way began; 0 = none. */
    private volatile long writingSince;

    /** Connects and authenticates. */
    RedisLink(HostAndPort address, JedisClientConfig config) {
        super(address, config);
    }

    void beginWrite() {
        writingSince = System.nanoTime() | 1;
    }

    /** Sends one command whose answer somebody else reads. */
    void sendNow(ProtocolCommand command) {
        sendCommand(command);
        flush();
    }

    void endWrite() {
        flush();
        writingSince = 0;
    }

    /** Called by another thread. */
    void cutIfWritingFor(long maxNanos) {
        long since = writingSince;
        if (since != 0 && System.nanoTime() - since > maxNanos) {
            cut();
        }
    }

    /** Closes the socket without a word; whoever uses it gets an exception. */
    void cut() {
        try {
            forceDisconnect();
        } catch (IOException e) {
            // The socket is closed anyhow.
            setBroken();
        }
    }
}
