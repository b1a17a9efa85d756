package io.mykit.delay.queue.redis;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import redis.clients.jedis.HostAndPort;

/** Creates and closes the connections in the pool of one server. Thread-safe. */
final class RedisLinks extends BasePooledObjectFactory<RedisLink> {
    private final HostAndPort address;
    private final RedisSettings settings;
    private final Restarts restarts;

    /** @param restarts is told of each process that a connection leads to */
    RedisLinks(HostAndPort address, RedisSettings settings, Restarts restarts) {
        this.address = address;
        this.settings = settings;
        this.restarts = restarts;
    }

    @Override
    public RedisLink create() {
        RedisLink link = settings.connect(address);
        boolean identified = false;
        try {
            link.identify();
            restarts.connected(address, link.runId());
            identified = true;
            return link;
        } finally {
            if (!identified) {
                link.cut();
            }
        }
    }

    @Override
    public PooledObject<RedisLink> wrap(RedisLink link) {
        return new DefaultPooledObject<>(link);
    }

    @Override
    public void destroyObject(PooledObject<RedisLink> pooled) {
        pooled.getObject().cut();
    }
}
