package io.mykit.delay.queue.redis;

import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * How connections are made.
 *
 * @param timeout bound on connecting, on each answer, and on waiting for a free connection
 * @param maxConnections per server
 */
record RedisSettings(RedisUri uri, Duration timeout, int maxConnections) {
    /** Health must be known within about a second, whatever the timeout of the work is. */
    private static final Duration MAX_PROBE_TIMEOUT = Duration.ofMillis(700);

    RedisLink connect(HostAndPort address) {
        return new RedisLink(address, client(timeout).build());
    }

    RedisLink connectProbe(HostAndPort address) {
        return new RedisLink(address, client(probeTimeout()).build());
    }

    /** Silence for {@code patience} ends the connection. */
    RedisLink connectSubscriber(HostAndPort address, Duration patience) {
        return new RedisLink(
                address, client(timeout).socketTimeoutMillis(millis(patience)).build());
    }

    /** Sentinels are asked without a password, and with the servers' own one when they insist. */
    RedisLink connectSentinel(HostAndPort address, boolean withPassword) {
        DefaultJedisClientConfig.Builder builder = plain(probeTimeout());
        return new RedisLink(address, withPassword ? authenticated(builder).build() : builder.build());
    }

    Duration probeTimeout() {
        return timeout.compareTo(MAX_PROBE_TIMEOUT) < 0 ? timeout : MAX_PROBE_TIMEOUT;
    }

    GenericObjectPoolConfig<RedisLink> pool() {
        GenericObjectPoolConfig<RedisLink> pool = new GenericObjectPoolConfig<>();
        pool.setMaxTotal(maxConnections);
        pool.setMaxIdle(maxConnections);
        pool.setMaxWait(timeout);
        pool.setMinEvictableIdleDuration(Duration.ofMinutes(1));
        pool.setTimeBetweenEvictionRuns(Duration.ofSeconds(30));
        pool.setJmxEnabled(false);
        return pool;
    }

    private DefaultJedisClientConfig.Builder client(Duration bound) {
        DefaultJedisClientConfig.Builder builder = authenticated(plain(bound));
        if (uri.tls()) {
            // The JVM's trust store decides; and the certificate must be this server's.
            builder.sslOptions(
                    SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        return builder.database(uri.database());
    }

    private DefaultJedisClientConfig.Builder authenticated(DefaultJedisClientConfig.Builder builder) {
        if (!uri.user().reveal().isEmpty()) {
            builder.user(uri.user().reveal());
        }
        if (!uri.password().reveal().isEmpty()) {
            builder.password(uri.password().reveal());
        }
        return builder;
    }

    private static DefaultJedisClientConfig.Builder plain(Duration bound) {
        return DefaultJedisClientConfig.builder()
                .timeoutMillis(millis(bound))
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED);
    }

    private static int millis(Duration duration) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, duration.toMillis()));
    }
}
