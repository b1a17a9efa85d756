package io.mykit.delay.queue.housekeeping;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.RetentionConfig;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HousekeeperTest {
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private long nowMs = 1_700_000_000_000L;
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs);
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final Map<String, Location> known = new HashMap<>();
    private boolean indexIsAway;
    private final MessageIndex index = (MessageIndex) Proxy.newProxyInstance(
            MessageIndex.class.getClassLoader(),
            new Class<?>[] {MessageIndex.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "buckets" -> 1;
                case "bucketOf" -> 0;
                case "refusing" -> indexIsAway ? Set.of(0) : Set.of();
                case "locate" -> locate();
                default -> throw new UnsupportedOperationException(method.getName());
            });
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final Loop housekeeper = new Housekeeper(
            new Housekeeping(store, index, clock, new Retention(), new HousekeepingMeters(new SimpleMeterRegistry())),
            term);

    private Map<String, Location> locate() {
        if (indexIsAway) {
            throw new IndexUnavailableException("away", null, Set.of(0));
        }
        return known;
    }

    @Test
    void removesMessagesAsLongAfterTheirEndAsTheyAreKept() throws Exception {
        insert("finished", 0, READY, FINISH);
        insert("cancelled", 0, DELETE);
        insert("dead", 0, READY, FAILED);
        insert("waiting", 0);
        runRound();
        assertThat(store.rows()).isEqualTo(4);

        nowMs += 8 * DAY_MS;
        runRound();
        assertThat(store.find(List.of("finished", "cancelled"))).isEmpty();
        assertThat(store.flow("finished")).isEmpty();
        assertThat(store.find(List.of("dead", "waiting"))).hasSize(2);

        nowMs += 30 * DAY_MS;
        runRound();
        assertThat(store.status("waiting")).isEqualTo(DELAY);
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void removesMessagesThatWereCancelledAheadOfTheirDueTime() throws Exception {
        insert("cancelled", 365 * DAY_MS, DELETE);
        nowMs += 8 * DAY_MS;
        runRound();
        assertThat(store.rows()).isZero();
    }

    @Test
    void rowIsKeptForACopyThatTheIndexStillHas() throws Exception {
        insert("copied", 0, DELETE);
        insert("other", 0, DELETE);
        known.put("copied", Location.READY);
        nowMs += 8 * DAY_MS;
        runRound();
        assertThat(store.find(List.of("copied", "other")))
                .extracting(row -> row.message().id())
                .containsExactly("copied");
    }

    @Test
    void nothingIsRemovedWhileTheIndexIsAway() {
        insert("finished", 0, READY, FINISH);
        nowMs += 8 * DAY_MS;
        indexIsAway = true;
        assertThatThrownBy(housekeeper::runOnce).isInstanceOf(IndexUnavailableException.class);
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void nothingIsRemovedAfterTheTerm() throws Exception {
        insert("finished", 0, READY, FINISH);
        nowMs += 8 * DAY_MS;
        term.revoke();
        housekeeper.runOnce();
        assertThat(store.rows()).isEqualTo(1);
    }

    @Test
    void pagesFollowEachOtherUntilTheRoundEnds() throws Exception {
        for (int i = 0; i < 5; i++) {
            insert("m" + i, i, READY, FINISH);
        }
        nowMs += 8 * DAY_MS;
        runRound();
        assertThat(store.rows()).isZero();
    }

    /** After the last page the loop rests for longer than any page demands. */
    private void runRound() throws Exception {
        Duration rest;
        do {
            rest = housekeeper.runOnce();
        } while (rest.compareTo(Duration.ofMinutes(1)) < 0);
    }

    private void insert(String id, long delayMs, MessageStatus... way) {
        store.insert(List.of(new NewMessage(
                new DelayMessage(id, "t", "", "", "", delayMs, nowMs, nowMs + delayMs, 0, 0), MessageStatus.DELAY)));
        if (way.length > 0) {
            List<Transition.Step> steps = Stream.of(way)
                    .map(status -> new Transition.Step(status, nowMs))
                    .toList();
            store.move(List.of(new Transition(id, 0, MessageStatus.DELAY, steps, "test", 0)));
        }
    }

    /** Two rows a page. */
    private record Retention(boolean enabled, Duration keep, Duration keepFailed, int batchSize, int rate)
            implements RetentionConfig {
        Retention() {
            this(true, Duration.ofDays(7), Duration.ofDays(30), 2, 1000);
        }
    }
}
