package io.mykit.delay.queue.redis;

/**
 * The memory of all masters together; {@code NaN} = not known.
 *
 * @param used in bytes
 * @param limit {@code maxmemory} in bytes; 0 = a server has no limit
 */
record RedisMemory(double used, double limit) {
    static final RedisMemory UNKNOWN = new RedisMemory(Double.NaN, Double.NaN);

    RedisMemory and(RedisMemory other) {
        return new RedisMemory(used + other.used, limit == 0 || other.limit == 0 ? 0 : limit + other.limit);
    }
}
