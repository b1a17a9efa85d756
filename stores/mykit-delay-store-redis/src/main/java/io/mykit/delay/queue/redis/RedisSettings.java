package io.mykit.delay.queue.redis;

import java.time.Duration;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/**
 * The settings of connections to Redis.
 *
 * @param timeout bound on connecting, on each answer, and on the wait for a free connection
 * @param maxConnections per server
 */
record RedisSettings(RedisUri uri, Duration timeout, int maxConnections) {
    /** The health must be known within about a second, also when the timeout of calls is longer. */
    private static final Duration MAX_PROBE_TIMEOUT = Duration.ofMillis(700);

    RedisLink connect(HostAndPort address) {
        return new RedisLink(address, client(timeout).build());
    }

    RedisLink connectProbe(HostAndPort address) {
        return new RedisLink(address, client(probeTimeout()).build());
    }

    /** A silence of {@code patience} ends the connection. */
    RedisLink connectSubscriber(HostAndPort address, Duration patience) {
        return new RedisLink(
                address, client(timeout).socketTimeoutMillis(millis(patience)).build());
    }

    /**
     * The bridge connects to sentinels without a password first, and with the password of the servers if a sentinel demands
     * one.
     */
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
            // The trust store of the JVM decides whether the certificate is valid. The certificate must also name this
            // server.
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
