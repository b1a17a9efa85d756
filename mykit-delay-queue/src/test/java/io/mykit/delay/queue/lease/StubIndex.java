package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.BucketIndex;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An index that answers as a test wants, and remembers what it was asked. */
public final class StubIndex {
    private final Map<String, Function<Object[], Object>> answers = new ConcurrentHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final BucketIndex index = (BucketIndex) Proxy.newProxyInstance(
            BucketIndex.class.getClassLoader(), new Class<?>[] {BucketIndex.class}, (proxy, method, arguments) -> {
                calls.add(method.getName());
                Function<Object[], Object> answer = answers.get(method.getName());
                return answer == null ? null : answer.apply(arguments);
            });

    public StubIndex() {
        answer("buckets", arguments -> 1);
        answer("leased", arguments -> Map.of());
        answer("ready", arguments -> Map.of());
    }

    public StubIndex answer(String method, Function<Object[], Object> answer) {
        answers.put(method, answer);
        return this;
    }

    public BucketIndex index() {
        return index;
    }

    public long calls(String method) {
        return calls.stream().filter(method::equals).count();
    }
}
