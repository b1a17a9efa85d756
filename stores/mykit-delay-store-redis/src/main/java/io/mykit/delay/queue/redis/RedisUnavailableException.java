package io.mykit.delay.queue.redis;

/**
 * Redis cannot be reached, did not answer in time, or refused the call. The message contains no secrets and no addresses.
 */
public class RedisUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
