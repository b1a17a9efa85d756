package io.mykit.delay.test.bucket;

import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("long")
class ClusterRedisIT extends RedisIndexContract {
    @Override
    protected String uri() {
        return SharedServers.redisCluster().uri();
    }

    @Override
    protected List<RedisServer> masters() {
        return SharedServers.redisCluster().masters();
    }
}
