package io.mykit.delay.test.bucket;

import io.mykit.delay.test.server.RedisServer;
import io.mykit.delay.test.server.SharedServers;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("nightly")
class SentinelRedisIT extends RedisIndexContract {
    @Override
    protected String uri() {
        return SharedServers.redisSentinel().uri();
    }

    @Override
    protected List<RedisServer> masters() {
        return List.of(SharedServers.redisSentinel().master());
    }
}
