package io.mykit.delay.test.fault.halt;

import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import io.mykit.delay.test.fault.halt.Round.Act;

/** The words that the rounds share: beginnings of the names of methods, delays, and acts of clients. */
final class Steps {
    static final String STORE = MyBatisMessageStore.class.getSimpleName() + "#";
    static final String INDEX = RedisMessageIndex.class.getSimpleName() + "#";
    static final String OWNER = "RedisOwnedBucket#";

    static final long HOUR_MS = 3_600_000;
    /** So that the answer to the push is there before. */
    static final long SOON_MS = 300;
    /** So that it is not due before the server is dead. */
    static final long LATER_MS = 2_000;

    /** More than a batch, due at once; one for the far future; one that is cancelled. */
    static final Act PUSH = lane -> {
        lane.clients().push(1, 1, HOUR_MS);
        lane.clients().push(2, 2, SOON_MS);
        lane.clients().cancel(2);
        lane.clients().push(3, 30, SOON_MS);
    };

    static final Act WAITING = lane -> lane.clients().push(1, 6, LATER_MS);
    static final Act SLEEPING = lane -> lane.clients().push(1, 6, HOUR_MS);

    private Steps() {}
}
