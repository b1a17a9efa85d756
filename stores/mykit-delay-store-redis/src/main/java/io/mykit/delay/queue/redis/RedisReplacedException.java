package io.mykit.delay.queue.redis;

/** The process that a call was meant for is gone: it was restarted, or another server took its place. */
public final class RedisReplacedException extends RedisUnavailableException {
    private static final long serialVersionUID = 1L;

    RedisReplacedException() {
        super("Redis was restarted, or another server took its place", null);
    }
}
