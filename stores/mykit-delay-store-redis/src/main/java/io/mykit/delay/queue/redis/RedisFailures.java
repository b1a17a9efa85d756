package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Turns errors of Redis and Jedis into the exceptions of this package. Messages contain no secrets. Stateless. */
final class RedisFailures {
    private RedisFailures() {}

    static RedisUnavailableException unavailable(String reason, Exception cause) {
        return new RedisUnavailableException("Redis " + reason, cause);
    }

    /** The address is in the cause only: callers outside must not see the addresses of the servers. */
    static RedisUnavailableException of(HostAndPort address, JedisException e) {
        JedisException cause = new JedisException(address + ": " + e.getMessage(), e);
        if (e instanceof JedisConnectionException) {
            return unavailable("cannot be reached, or did not answer in time", cause);
        }
        if (e instanceof JedisDataException) {
            String answer = e.getMessage() == null ? "" : e.getMessage();
            return new RedisRefusalException("Redis refuses: " + firstPart(answer), answer, cause);
        }
        return unavailable("cannot be used", cause);
    }

    /** Cuts off the position in the script, which Redis adds to the error. */
    private static String firstPart(String message) {
        int script = message.indexOf(" script: ");
        return script < 0 ? message : message.substring(0, script);
    }
}
