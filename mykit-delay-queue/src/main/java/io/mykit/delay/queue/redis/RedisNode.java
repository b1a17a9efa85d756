package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.pool2.impl.GenericObjectPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** One Redis server: its bounded pool of connections, and whether it answers. Thread-safe but for {@link #probe}. */
final class RedisNode implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final byte[] ONLY_OVERWRITE = {'X', 'X'};

    private final HostAndPort address;
    private final RedisSettings settings;
    private final GenericObjectPool<RedisLink> pool;
    private final Set<RedisLink> borrowed = ConcurrentHashMap.newKeySet();
    private RedisLink probe;
    /** {@link System#nanoTime()} of the first of the failed probes up to now; 0 = the last one was answered. */
    private volatile long silentSince;

    RedisNode(HostAndPort address, RedisSettings settings) {
        this.address = address;
        this.settings = settings;
        this.pool = new GenericObjectPool<>(new RedisLinks(address, settings), settings.pool());
    }

    HostAndPort address() {
        return address;
    }

    /**
     * A connection for one exchange; to be given to {@link #giveBack}.
     *
     * @throws RedisUnavailableException at once if the server has been silent for longer than the timeout: then every
     *     further caller need not wait for as long again
     */
    RedisLink borrow() {
        long since = silentSince;
        if (since != 0 && System.nanoTime() - since > settings.timeout().toNanos()) {
            throw RedisFailures.unavailable("does not answer", null);
        }
        try {
            RedisLink link = pool.borrowObject();
            borrowed.add(link);
            return link;
        } catch (NoSuchElementException e) {
            throw RedisFailures.unavailable(
                    "has no connection free within " + settings.timeout().toMillis() + " ms", e);
        } catch (JedisException e) {
            throw RedisFailures.of(address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RedisFailures.unavailable("was not asked: interrupted", e);
        } catch (Exception e) {
            throw RedisFailures.unavailable("cannot be reached", e);
        }
    }

    /**
     * Which process answers at the address now.
     *
     * @throws RedisUnavailableException as {@link #borrow}
     */
    String server() {
        RedisLink link = borrow();
        String server = link.server();
        giveBack(link, true);
        return server;
    }

    /** @param usable false if the exchange was not finished: then answers may still be on their way in it */
    void giveBack(RedisLink link, boolean usable) {
        borrowed.remove(link);
        if (usable && !link.isBroken()) {
            pool.returnObject(link);
            return;
        }
        link.cut();
        try {
            pool.invalidateObject(link);
        } catch (Exception e) {
            throw new IllegalStateException("the pool could not forget a connection", e);
        }
        // What broke one connection has broken the others: the next caller gets a new one.
        pool.clear();
    }

    /**
     * Asks whether the server takes writes, and for its time. Called by one thread.
     *
     * @param key of this server's; nothing is ever there, so that overwriting it changes nothing
     * @throws JedisException if it does not answer ({@link JedisDataException}: if it refuses to talk to us)
     */
    Look probe(byte[] key) {
        try {
            if (probe == null) {
                probe = settings.connectProbe(address);
            }
            // A full server refuses SET, as it does what our scripts write; DEL it would take.
            probe.sendCommand(Protocol.Command.SET, key, NOTHING, ONLY_OVERWRITE);
            probe.sendCommand(Protocol.Command.TIME);
            List<Object> replies = probe.getMany(2);
            answered();
            if (replies.get(1) instanceof JedisDataException refusal) {
                throw refusal;
            }
            List<?> time = (List<?>) replies.get(1);
            long nowMicros = Replies.number(time.get(0)) * 1_000_000 + Replies.number(time.get(1));
            return new Look(nowMicros, replies.get(0) instanceof JedisDataException e ? e.getMessage() : null);
        } catch (JedisDataException e) {
            throw e;
        } catch (JedisException e) {
            closeProbe();
            silentSince = silentSince == 0 ? System.nanoTime() | 1 : silentSince;
            throw e;
        }
    }

    boolean isSilent() {
        return silentSince != 0;
    }

    /** Ends writes that have hung for longer than the timeout. */
    void cutStuckWrites() {
        Duration timeout = settings.timeout();
        borrowed.forEach(link -> link.cutIfWritingFor(timeout.toNanos()));
    }

    /** Those who are using a connection get an exception. Called by the thread that probes, or after it ended. */
    @Override
    public void close() {
        pool.close();
        borrowed.forEach(RedisLink::cut);
        closeProbe();
    }

    private void answered() {
        if (silentSince != 0) {
            // Whatever is idle in the pool was connected to the server as it was before.
            pool.clear();
            silentSince = 0;
        }
    }

    private void closeProbe() {
        if (probe != null) {
            probe.cut();
            probe = null;
        }
    }

    /**
     * What a probe saw.
     *
     * @param nowMicros the server's time, epoch microseconds
     * @param refusal why it takes no writes, in its own words (OOM, MISCONF, READONLY ...); null = it does
     */
    record Look(long nowMicros, String refusal) {}
}
