package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Turns what Redis or Jedis say into exceptions of this room. Messages hold no secrets. Stateless. */
final class RedisFailures {
    private static final String FENCED = "FENCED ";
    private static final String LOST = "LOST ";

    private RedisFailures() {}

    static IndexUnavailableException unavailable(String reason, Exception cause) {
        return new IndexUnavailableException("Redis " + reason, cause);
    }

    /** Where it happened is in the cause only: callers outside are not told our addresses. */
    static IndexUnavailableException of(HostAndPort address, JedisException e) {
        JedisException cause = new JedisException(address + ": " + e.getMessage(), e);
        if (e instanceof JedisConnectionException) {
            return unavailable("cannot be reached, or did not answer in time", cause);
        }
        if (e instanceof JedisDataException) {
            return unavailable("refuses: " + firstPart(e.getMessage()), cause);
        }
        return unavailable("cannot be used", cause);
    }

    /** What a script's error says about the bucket. */
    static RuntimeException of(int bucket, HostAndPort address, JedisDataException e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        if (message.startsWith(FENCED)) {
            String[] words = message.split(" ", -1);
            return new FencedException(bucket, Long.parseLong(words[2]), Long.parseLong(words[1]));
        }
        if (message.startsWith(LOST)) {
            return new BucketLostException(bucket);
        }
        return of(address, e);
    }

    /** Without the place in our script, which Redis adds. */
    private static String firstPart(String message) {
        int script = message == null ? -1 : message.indexOf(" script: ");
        return script < 0 ? message : message.substring(0, script);
    }
}
