package io.mykit.delay.test.fault.watch;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.fault.history.EpochSeen;
import io.mykit.delay.test.fault.rig.Rig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads the fence of every bucket, and keeps each change. Thread-safe. */
public final class EpochWatch implements AutoCloseable {
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
        String[] words = Stream.concat(
                        Stream.of("MGET"), IntStream.range(0, Rig.BUCKETS).mapToObj(b -> index.key(b, "epoch")))
                .toArray(String[]::new);
        long nowMs = System.currentTimeMillis();
        List<?> values = (List<?>) index.run(words);
        for (int b = 0; b < latest.length; b++) {
            byte[] value = (byte[]) values.get(b);
            if (value != null) {
                // Behind the epoch stand the turn and the server of the last claim.
                String claim = new String(value, StandardCharsets.US_ASCII);
                long epoch = Long.parseLong(claim.split(" ", 2)[0]);
                if (epoch != latest[b]) {
                    latest[b] = epoch;
                    changes.add(new EpochSeen(b, nowMs, epoch));
                }
            }
        }
    }
}
