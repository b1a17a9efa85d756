package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.rig.Rig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reads the fence of every bucket, and keeps each change. Thread-safe. */
public final class EpochWatch implements AutoCloseable {
    private static final String CLAIM_AND_SERVER =
            "return {redis.call('GET', KEYS[1]) or '', redis.call('INFO', 'server')}";

    private final RedisView index;
    private final long[] latest = new long[Rig.BUCKETS];
    private final List<EpochSeen> changes = new CopyOnWriteArrayList<>();
    private final Sampler sampler;

    /** Begins at once. */
    public EpochWatch(Rig rig) {
        this.index = rig.index();
        this.sampler = new Sampler("epoch-watch", Duration.ofMillis(50), this::look);
    }

    public List<EpochSeen> changes() {
        return List.copyOf(changes);
    }

    @Override
    public void close() {
        sampler.close();
    }

    private void look() {
        for (int b = 0; b < latest.length; b++) {
            long nowMs = System.currentTimeMillis();
            List<?> values = (List<?>) index.run("EVAL", CLAIM_AND_SERVER, "1", index.key(b, "epoch"));
            byte[] value = (byte[]) values.get(0);
            if (value.length > 0) {
                // Behind the epoch stand the turn and the server of the last claim.
                String[] claim = new String(value, StandardCharsets.US_ASCII).split(" ", -1);
                String server = new String((byte[]) values.get(1), StandardCharsets.US_ASCII);
                long epoch = Long.parseLong(claim[0]);
                // A claim that came back from disk or from a replica belongs to no leader: leaders call the
                // server of their claim only.
                boolean counts = claim.length < 3 || server.contains("run_id:" + claim[2]);
                if (counts && epoch != latest[b]) {
                    latest[b] = epoch;
                    changes.add(new EpochSeen(b, nowMs, epoch));
                }
            }
        }
    }
}
