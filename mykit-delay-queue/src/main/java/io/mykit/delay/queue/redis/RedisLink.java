package io.mykit.delay.queue.redis;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A connection that is used by one thread at a time, and can be cut off by another one when a write hangs: a socket's
 * timeout bounds reads only, and a frozen server stops reading.
 */
final class RedisLink extends Connection {
    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final String RUN_ID = "run_id:";

    /** {@link System#nanoTime()} when the write under way began; 0 = none. */
    private volatile long writingSince;
    /** Which process is at the other end: its run id; empty if it does not say so. */
    private String runId = "";

    /** Connects and authenticates. */
    RedisLink(HostAndPort address, JedisClientConfig config) {
        super(address, config);
    }

    /** Asks which process this is. A link never changes to another one, so that it is asked once. */
    void identify() {
        sendCommand(Protocol.Command.INFO, "server");
        try {
            runId = Replies.text(getOne())
                    .lines()
                    .filter(line -> line.startsWith(RUN_ID))
                    .map(line -> line.substring(RUN_ID.length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (JedisDataException e) {
            LOG.debug("Redis does not tell its run id, so a restart with older data is found by the auditor only", e);
        }
    }

    String server() {
        return runId;
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
