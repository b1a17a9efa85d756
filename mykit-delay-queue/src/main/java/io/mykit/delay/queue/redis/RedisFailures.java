package io.mykit.delay.queue.redis;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Turns what Redis or Jedis say into exceptions of this room. Messages hold no secrets. Stateless. */
final class RedisFailures {
    private RedisFailures() {}

    static RedisUnavailableException unavailable(String reason, Exception cause) {
        return new RedisUnavailableException("Redis " + reason, cause);
    }

    /** Where it happened is in the cause only: callers outside are not told our addresses. */
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

    /** Without the place in our script, which Redis adds. */
    private static String firstPart(String message) {
        int script = message.indexOf(" script: ");
        return script < 0 ? message : message.substring(0, script);
    }
}
