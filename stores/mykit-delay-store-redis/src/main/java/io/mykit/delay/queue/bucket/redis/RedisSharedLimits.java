package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.redis.RedisCall;
import io.mykit.delay.queue.redis.RedisUnavailableException;
import io.mykit.delay.queue.redis.Replies;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The shared limits on Redis. Thread-safe. */
final class RedisSharedLimits implements SharedLimits {
    private static final byte[] AHEAD = Replies.bytes(MAX_AHEAD_SECONDS);
    private static final byte[] KEPT = Replies.bytes(TOPIC_KEPT_SECONDS);

    private final RedisKeys keys;
    private final BucketCalls calls;

    RedisSharedLimits(RedisKeys keys, BucketCalls calls) {
        this.keys = keys;
        this.calls = calls;
    }

    @Override
    public List<Optional<RateShare>> take(List<RateOrder> orders) {
        return answers(orders.stream().map(this::call).toList(), reply -> {
            List<?> numbers = Replies.list(reply);
            return new RateShare(Replies.number(numbers.get(0)), Replies.number(numbers.get(1)));
        });
    }

    private RedisCall call(RateOrder order) {
        return BucketCalls.call(
                LuaScript.RATE,
                new byte[][] {keys.rate(order.owner())},
                Replies.bytes(order.perSecond()),
                Replies.bytes(order.debt()),
                Replies.bytes(order.wanted()),
                AHEAD);
    }

    @Override
    public List<Optional<Boolean>> admit(List<TopicOrder> orders) {
        return answers(orders.stream().map(this::call).toList(), reply -> Replies.number(reply) == 1);
    }

    private RedisCall call(TopicOrder order) {
        return BucketCalls.call(
                LuaScript.ADMIT_TOPIC,
                new byte[][] {keys.topicsOf(order.namespace())},
                Replies.bytes(order.topic()),
                Replies.bytes(order.max()),
                KEPT);
    }

    private <T> List<Optional<T>> answers(List<RedisCall> each, Function<Object, T> reader) {
        return Arrays.stream(calls.tryAll(each))
                .map(reply -> reply instanceof RedisUnavailableException
                        ? Optional.<T>empty()
                        : Optional.of(reader.apply(reply)))
                .toList();
    }
}
