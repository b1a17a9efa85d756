package io.mykit.delay.queue.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The master that the sentinels agree on. Each refresh asks one sentinel, in turn, so that the bridge does not depend on a
 * single sentinel. A sentinel that was cut off may still name an older master: its configuration epoch is lower.
 *
 * <p>Sentinels that were set up anew count their epochs from 0. So if a sentinel names another master with a lower epoch,
 * the refresh asks all sentinels, and {@link SentinelVote} decides. One thread calls {@link #refresh}; any thread may call
 * the other methods.
 */
final class SentinelTopology implements Topology {
    private static final Logger LOG = LoggerFactory.getLogger(SentinelTopology.class);

    private final RedisSettings settings;
    private final List<HostAndPort> sentinels;
    private final String name;
    private final Map<HostAndPort, RedisLink> links = new HashMap<>();
    private final SentinelVote vote = new SentinelVote(System::nanoTime);
    private int turn;
    private volatile SentinelWord current = SentinelWord.NONE;

    SentinelTopology(RedisSettings settings) {
        this.settings = settings;
        this.sentinels = settings.uri().hosts();
        this.name = settings.uri().master();
    }

    @Override
    public HostAndPort nodeOf(int slot) {
        HostAndPort master = current.master();
        if (master == null) {
            throw RedisFailures.unavailable("has no known master: no sentinel has named it", null);
        }
        return master;
    }

    /** The configuration epoch. It rises with each failover. */
    @Override
    public String generation() {
        return "@" + current.epoch();
    }

    @Override
    public void moved(int slot, HostAndPort to) {
        throw RedisFailures.unavailable(
                "belongs to a cluster, but mykit.delay.redis.uri names sentinels: use redis-cluster://", null);
    }

    @Override
    public boolean refresh(boolean doubtful) {
        JedisException last = null;
        for (int i = 0; i < sentinels.size(); i++) {
            HostAndPort sentinel = sentinels.get(Math.floorMod(turn++, sentinels.size()));
            try {
                SentinelWord word = ask(sentinel);
                if (vote.mayFollow(word, current)) {
                    take(word);
                } else {
                    askAll(doubtful);
                }
                return true;
            } catch (JedisException e) {
                if (last == null || !(last.getCause() instanceof UnknownMasterException)) {
                    last = e;
                }
            }
        }
        throw last;
    }

    private void askAll(boolean doubtful) {
        List<SentinelWord> words = new ArrayList<>();
        for (HostAndPort sentinel : sentinels) {
            try {
                words.add(ask(sentinel));
            } catch (JedisException e) {
                LOG.debug("A Redis sentinel did not answer and has no vote", e);
            }
        }
        vote.decide(words, sentinels.size(), current, doubtful).ifPresent(this::take);
    }

    private SentinelWord ask(HostAndPort sentinel) {
        try {
            return askNow(sentinel);
        } catch (JedisException e) {
            RedisLink link = links.remove(sentinel);
            if (link != null) {
                link.cut();
            }
            throw new JedisException("sentinel " + sentinel + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        links.values().forEach(RedisLink::cut);
        links.clear();
    }

    private SentinelWord askNow(HostAndPort sentinel) {
        RedisLink link = links.get(sentinel);
        if (link == null) {
            link = connect(sentinel);
            links.put(sentinel, link);
        }
        link.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", name);
        link.sendCommand(Protocol.Command.SENTINEL, "MASTER", name);
        List<Object> replies = link.getMany(2);
        if (replies.get(0) instanceof List<?> address && replies.get(1) instanceof List<?> fields) {
            HostAndPort named = new HostAndPort(Replies.text(address.get(0)), (int) Replies.number(address.get(1)));
            return new SentinelWord(named, epoch(fields));
        }
        if (replies.get(0) instanceof JedisDataException refusal) {
            throw refusal;
        }
        throw new UnknownMasterException(name);
    }

    private void take(SentinelWord word) {
        boolean isAnother = !word.master().equals(current.master());
        // The same master with a higher epoch: another server was the master in between.
        if (isAnother || word.epoch() > current.epoch()) {
            LOG.info(
                    "Redis master is {} (configuration epoch {}), was {}",
                    word.master(),
                    word.epoch(),
                    current.master());
            current = word;
        }
    }

    private RedisLink connect(HostAndPort sentinel) {
        RedisLink link = settings.connectSentinel(sentinel, false);
        try {
            link.ping();
            return link;
        } catch (JedisDataException e) {
            // The sentinel demands a password (NOAUTH): the bridge offers the password of the servers.
            link.cut();
            return settings.connectSentinel(sentinel, true);
        }
    }

    private static long epoch(List<?> fields) {
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            if (Replies.text(fields.get(i)).equals("config-epoch")) {
                return Replies.number(fields.get(i + 1));
            }
        }
        return 0;
    }

    /** This failure is more useful to an operator than a sentinel that is away. */
    private static final class UnknownMasterException extends JedisException {
        private static final long serialVersionUID = 1L;

        UnknownMasterException(String name) {
            super(Misfit.UNKNOWN_MASTER + name + "'");
        }
    }
}
