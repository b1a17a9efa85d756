package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An index of one bucket that answers as a test wants, and remembers what it was asked. */
public final class StubIndex {
    private final Map<String, Function<Object[], Object>> answers = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final OwnedBucket owned = proxy(OwnedBucket.class);
    private final MessageIndex index = proxy(MessageIndex.class);

    public StubIndex() {
        answer("buckets", arguments -> 1);
        answer("leased", arguments -> Map.of());
        answer("ready", arguments -> Map.of());
        answer("claim", arguments -> owned);
    }

    /** How the index, or the bucket that was claimed, answers; for {@code claim} see {@code found}. */
    public StubIndex answer(String method, Function<Object[], Object> answer) {
        answers.put(method, answer);
        return this;
    }

    public MessageIndex index() {
        return index;
    }

    public long calls(String method) {
        return calls.stream().filter(method::equals).count();
    }

    private <T> T proxy(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    Function<Object[], Object> answer = answers.get(method.getName());
                    return answer == null ? null : answer.apply(arguments);
                }));
    }
}
