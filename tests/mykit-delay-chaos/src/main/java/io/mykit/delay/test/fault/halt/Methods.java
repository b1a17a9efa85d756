package io.mykit.delay.test.fault.halt;

import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.dispatch.Dispatcher;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The methods at which a server is halted, as {@code Class#method}. Methods of an interface are named by a call, so that a
 * rename breaks the compile; the others by strings, which {@code RoundsTest} checks.
 */
final class Methods {
    static final String STORE_INSERT = store(store -> store.insert(null));
    static final String STORE_STATES = store(store -> store.states(null));
    static final String STORE_MOVE = store(store -> store.move(null));
    static final String STORE_REWRITE = store(store -> store.rewrite(null, null));
    static final String STORE_REMOVE = store(store -> store.remove(null, 0, null));
    static final String STORE_NEXT_EPOCH = store(store -> store.nextEpoch(null, 0));

    static final String INDEX_SCHEDULE = index(index -> index.schedule(null));
    static final String INDEX_REMOVE = index(index -> index.remove(""));
    static final String INDEX_PURGE = index(index -> index.purge(null));
    static final String INDEX_VETO = index(index -> index.veto(null));
    static final String INDEX_UNKNOWN = index(index -> index.unknown(null));
    static final String INDEX_CLAIM = index(index -> index.claim(0, 0));
    static final String INDEX_TAKE = index(index -> index.take(null, null, 0, null));
    static final String INDEX_SETTLE = index(index -> index.settle(null, null));

    static final String OWNER_RELEASE = owner(bucket -> bucket.release(null, null, false));
    static final String OWNER_RETAKE = owner(bucket -> bucket.retake(null, null));
    static final String OWNER_PARK = owner(bucket -> bucket.park(null));
    static final String OWNER_UNPARK = owner(bucket -> bucket.unpark(null));
    static final String OWNER_LEASED = owner(bucket -> bucket.leased(0, 0, 0));
    static final String OWNER_MARK_RESTORED = owner(OwnedBucket::markRestored);
    static final String OWNER_MARK_COMPARED = owner(OwnedBucket::markCompared);
    static final String OWNER_COLLECT_STRAYS = owner(bucket -> bucket.collectStrays(null));

    static final String HOLDS_HAND_OUT = holds(holds -> holds.handOut(null, null, null, null, null));
    static final String HOLDS_FORGET = holds(holds -> holds.forget(null));
    static final String HOLDS_POSTPONE = holds(holds -> holds.postpone(null, false));
    static final String HOLDS_RELEASE = holds(holds -> holds.release(null, false));
    static final String HOLDS_PARK = holds(holds -> holds.park(null));

    static final String DISPATCHER_ACCEPT = Dispatcher.class.getSimpleName() + "#accept";
    static final String DISPATCHER_OFFER = Dispatcher.class.getSimpleName() + "#offer";
    static final String BROKER_SEND = "BrokerLink#send";
    static final String BROKER_COMMIT = "BrokerLink#commit";

    private Methods() {}

    private static String store(Consumer<MessageStore> call) {
        return MyBatisMessageStore.class.getSimpleName() + "#" + called(MessageStore.class, call);
    }

    private static String index(Consumer<MessageIndex> call) {
        return RedisMessageIndex.class.getSimpleName() + "#" + called(MessageIndex.class, call);
    }

    private static String owner(Consumer<OwnedBucket> call) {
        return "RedisOwnedBucket#" + called(OwnedBucket.class, call);
    }

    private static String holds(Consumer<HoldIndex> call) {
        return "RedisHoldIndex#" + called(HoldIndex.class, call);
    }

    /** The name of the method that is called. */
    private static <T> String called(Class<T> type, Consumer<T> call) {
        List<String> names = new ArrayList<>();
        Object recorder =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, none) -> {
                    names.add(method.getName());
                    throw new Recorded();
                });
        try {
            call.accept(type.cast(recorder));
        } catch (Recorded end) {
            return names.get(0);
        }
        throw new IllegalArgumentException("no call of " + type.getSimpleName());
    }

    /** Ends a call, because no result is right for all types. */
    private static final class Recorded extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}
