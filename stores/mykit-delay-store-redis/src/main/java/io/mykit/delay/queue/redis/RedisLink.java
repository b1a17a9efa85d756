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
 * A connection that one thread uses at a time. Another thread can cut it when a write hangs: the timeout of a socket bounds
 * reads only, and a frozen server stops reading.
 */
final class RedisLink extends Connection {
    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final String RUN_ID = "run_id:";

    /** {@link System#nanoTime()} at the beginning of the running write; 0 = no write is running. */
    private volatile long writingSince;
    /** The run id of the process at the other end; empty if Redis does not report it. */
    private String runId = "";

    /** Connects and authenticates. */
    RedisLink(HostAndPort address, JedisClientConfig config) {
        super(address, config);
    }

    /** Reads the run id of the process. A connection never changes to another process, so one read is enough. */
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
            LOG.debug("Redis does not report its run id, so that only the auditor finds a restart with older data", e);
        }
    }

    String runId() {
        return runId;
    }

    void beginWrite() {
        writingSince = System.nanoTime() | 1;
    }

    /** Sends one command; another thread reads the answer. */
    void sendNow(ProtocolCommand command) {
        sendCommand(command);
        flush();
    }

    void endWrite() {
        flush();
        writingSince = 0;
    }

    /** Another thread calls this. */
    void cutIfWritingFor(long maxNanos) {
        long since = writingSince;
        if (since != 0 && System.nanoTime() - since > maxNanos) {
            cut();
        }
    }

    /** Closes the socket at once; the thread that uses it gets an exception. */
    void cut() {
        try {
            forceDisconnect();
        } catch (IOException e) {
            // The socket is closed in any case.
            setBroken();
        }
    }
}
