package io.mykit.delay.test.fault.injection;

import static io.mykit.delay.test.fault.injection.Fault.BY_ITSELF;
import static io.mykit.delay.test.fault.injection.Fault.Trait.LOSES_A_PART;
import static io.mykit.delay.test.fault.injection.Fault.Trait.NONE;
import static io.mykit.delay.test.fault.injection.Fault.What.REDIS;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Redis forgets everything, or a part, or stops. */
final class RedisFaults {

    private RedisFaults() {}

    static List<Fault> all() {
        return List.of(
                // Most keep nothing on disk, so that they come back empty.
                new Fault("kill-redis", REDIS, NONE, Duration.ofSeconds(2), (rig, random) -> {
                    rig.redis().kill();
                    return rig.redis()::restart;
                }),
                new Fault("freeze-redis", REDIS, NONE, Duration.ofSeconds(3), (rig, random) -> {
                    rig.redis().freeze();
                    return rig.redis()::thaw;
                }),
                // The same server is empty after a stall: only its keys tell.
                new Fault("freeze-flush-redis", REDIS, NONE, Duration.ofSeconds(3), (rig, random) -> {
                    rig.redis().freeze();
                    return () -> {
                        rig.redis().thaw();
                        rig.index().onAll("FLUSHALL");
                    };
                }),
                // Longer than a probe waits, shorter than a call does.
                new Fault("stutter-redis", REDIS, NONE, Duration.ofSeconds(5), (rig, random) -> {
                    return Stutter.begin(rig.redis()::freeze, rig.redis()::thaw, Duration.ofSeconds(1));
                }),
                new Fault("flush-redis", REDIS, NONE, Duration.ZERO, (rig, random) -> {
                    rig.index().onAll("FLUSHALL");
                    return BY_ITSELF;
                }),
                loses("pool"),
                loses("heads"),
                loses("epoch"),
                loses("lease"),
                loses("topics"),
                new Fault("delete-waiting", REDIS, LOSES_A_PART, Duration.ZERO, (rig, random) -> {
                    deleteOne(rig.index(), ":waiting:", random);
                    return BY_ITSELF;
                }),
                // The receipts of consumers. Messages stay handed out until the ends of their holds.
                new Fault("delete-held", REDIS, NONE, Duration.ZERO, (rig, random) -> {
                    String held = rig.index().key(random.nextInt(Rig.BUCKETS), "held:" + Rig.PULLED);
                    rig.index().run("DEL", held);
                    return BY_ITSELF;
                }),
                new Fault("delete-ready", REDIS, LOSES_A_PART, Duration.ZERO, (rig, random) -> {
                    // They live for milliseconds: the first that is seen, or none.
                    long begin = System.nanoTime();
                    while (!deleteOne(rig.index(), ":ready:", random) && System.nanoTime() - begin < 2_000_000_000L) {
                        Thread.onSpinWait();
                    }
                    return BY_ITSELF;
                }));
    }

    private static Fault loses(String what) {
        return new Fault("delete-" + what, REDIS, LOSES_A_PART, Duration.ZERO, (rig, random) -> {
            rig.index().run("DEL", rig.index().key(random.nextInt(Rig.BUCKETS), what));
            return BY_ITSELF;
        });
    }

    private static boolean deleteOne(RedisView index, String what, SplittableRandom random) {
        List<String> found =
                index.keys().stream().filter(key -> key.contains(what)).toList();
        if (found.isEmpty()) {
            return false;
        }
        index.run("DEL", found.get(random.nextInt(found.size())));
        return true;
    }
}
