package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.figure.Figure;
import io.mykit.delay.test.bench.figure.Target;
import io.mykit.delay.test.bench.rig.LiveHeap;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.Requests;
import io.mykit.delay.test.server.RedisServer;
import java.io.IOException;
import java.util.List;

/** The memory of a waiting message. */
public final class MemoryLine implements BenchLine {
    /** The number of messages in one pipeline. */
    private static final int RAW_TRIP = 500;

    private static final int WARM_UP = 5_000;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String about() {
        return "bytes per waiting message in Redis and in the server's heap, beside HSET + ZADD of the same";
    }

    @Override
    public List<Figure> measure(Bout bout) throws IOException {
        int count = bout.scale().waiting();
        String item = Requests.delayed("accept", AcceptLine.DELAY_MS);
        RedisServer redis = bout.rig().redis();
        long pid = bout.rig().freshServer().pid();
        Backlog.push(bout.rig(), WARM_UP, item);
        long heapBefore = LiveHeap.bytes(pid);
        long redisBefore = used(redis);
        bout.say().accept("pushing " + count);
        Backlog.push(bout.rig(), count, item);
        double ours = (used(redis) - redisBefore) / (double) count;
        double heap = (LiveHeap.bytes(pid) - heapBefore) / (double) count;
        double raw = raw(redis, count);
        return List.of(
                Figure.of(name(), "Redis per waiting message", ours, "bytes")
                        .beside("HSET + ZADD", raw)
                        .must(Target.valueAtMost(300)),
                Figure.of(name(), "heap per waiting message", heap, "bytes"));
    }

    private static double raw(RedisServer redis, int count) {
        long before = used(redis);
        try (RawIndex index = new RawIndex(redis)) {
            for (int i = 0; i < count; i += RAW_TRIP) {
                index.add(RAW_TRIP);
            }
            return (used(redis) - before) / (double) count;
        }
    }

    private static long used(RedisServer redis) {
        return Long.parseLong(redis.info("used_memory"));
    }
}
