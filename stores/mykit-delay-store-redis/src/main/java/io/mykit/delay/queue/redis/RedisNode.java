package io.mykit.delay.queue.redis;

import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.pool2.impl.GenericObjectPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One Redis server, with its bounded pool of connections and its state: does it answer? Thread-safe, except for {@link
 * #probe}.
 */
final class RedisNode implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final byte[] ONLY_OVERWRITE = {'X', 'X'};

    private final HostAndPort address;
    private final RedisSettings settings;
    private final Supplier<String> generation;
    private final GenericObjectPool<RedisLink> pool;
    private final Set<RedisLink> borrowed = ConcurrentHashMap.newKeySet();
    private RedisLink probe;
    /**
     * {@link System#nanoTime()} of the first failed probe since the last answer; 0 = the server answered the last probe.
     */
    private volatile long silentSince;

    /** @param generation see {@link Topology#generation} */
    RedisNode(HostAndPort address, RedisSettings settings, Supplier<String> generation, Restarts restarts) {
        this.address = address;
        this.settings = settings;
        this.generation = generation;
        this.pool = new GenericObjectPool<>(new RedisLinks(address, settings, restarts), settings.pool());
    }

    HostAndPort address() {
        return address;
    }

    /**
     * Borrows a connection for one exchange; the caller returns it with {@link #giveBack}.
     *
     * @throws RedisUnavailableException at once if the server has been silent for longer than the timeout, so that further
     *     callers need not wait for the timeout again
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
            throw RedisFailures.unavailable("was not called, because the thread was interrupted", e);
        } catch (Exception e) {
            throw RedisFailures.unavailable("cannot be reached", e);
        }
    }

    /**
     * The process that answers at the address now, see {@link Redis#serverOf}.
     *
     * @throws RedisUnavailableException as {@link #borrow}
     */
    String server() {
        RedisLink link = borrow();
        String server = serverAt(link);
        giveBack(link, true);
        return server;
    }

    /** The process at the other end of a connection, in the office that it has now. */
    String serverAt(RedisLink link) {
        String now = generation.get();
        return now.isEmpty() ? link.runId() : link.runId() + now;
    }

    /** @param usable false if the exchange did not end: then old answers may still arrive on the connection */
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
            throw new IllegalStateException("the pool of Redis connections failed to remove a connection", e);
        }
        // The other connections are probably broken too: the next caller gets a new one.
        pool.clear();
    }

    /**
     * Checks whether the server takes writes, and reads its time. One thread calls it.
     *
     * @param key a key of this server. It never exists, so that overwriting it changes nothing
     * @throws JedisException if the server does not answer ({@link JedisDataException}: if it refuses the connection)
     */
    Look probe(byte[] key) {
        try {
            if (probe == null) {
                probe = settings.connectProbe(address);
            }
            // A full server refuses SET, as it refuses the writes of the scripts. It would accept DEL.
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
            // A server that refuses answers.
            answered();
            throw e;
        } catch (JedisException e) {
            closeProbe();
            silentSince = silentSince == 0 ? System.nanoTime() | 1 : silentSince;
            throw e;
        }
    }

    /**
     * Runs a command on the connection of the last {@link #probe}. The same thread calls it.
     *
     * @return the reply, or the JedisDataException that the server answered
     * @throws JedisException if the server does not answer
     */
    Object ask(Protocol.Command command, byte[]... words) {
        RedisLink link = probe;
        try {
            link.sendCommand(command, words);
            return link.getOne();
        } catch (JedisDataException refusal) {
            return refusal;
        } catch (JedisException e) {
            closeProbe();
            throw e;
        }
    }

    /** The connection of the probe; null = none. The thread that probes calls it. */
    RedisLink probeLink() {
        return probe;
    }

    boolean isSilent() {
        return silentSince != 0;
    }

    /** Ends writes that hang for longer than the timeout. */
    void cutStuckWrites() {
        Duration timeout = settings.timeout();
        borrowed.forEach(link -> link.cutIfWritingFor(timeout.toNanos()));
    }

    /**
     * Threads that use a connection get an exception. The thread that probes calls this, or another thread after its end.
     */
    @Override
    public void close() {
        pool.close();
        borrowed.forEach(RedisLink::cut);
        closeProbe();
    }

    private void answered() {
        if (silentSince != 0) {
            // The idle connections in the pool belong to the server before its silence.
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
     * The result of a probe.
     *
     * @param nowMicros the server's time, epoch microseconds
     * @param refusal the server's own reason why it takes no writes (OOM, MISCONF, READONLY ...); null = it takes writes
     */
    record Look(long nowMicros, String refusal) {}
}
