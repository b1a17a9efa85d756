package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Redis that answers and takes no writes: full, a replica, or without the replicas that it must have. */
@Tag("long")
class RedisRefusesIT extends BridgeFixture {
    private static final int PAGE = 1000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    private RedisServer redis;
    private long waitingBefore = -1;

    @Override
    protected Map<String, String> settings() {
        redis = RedisServer.start(dir.resolve("redis"), "", "maxmemory-policy noeviction");
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.redis.uri", redis.uri());
        settings.put("mykit.delay.recovery.page-size", Integer.toString(PAGE));
        return settings;
    }

    @AfterEach
    void closeServer() {
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({
        "OOM,        CONFIG SET maxmemory 1,           CONFIG SET maxmemory 0",
        "READONLY,   REPLICAOF 127.0.0.1 1,            REPLICAOF NO ONE",
        "NOREPLICAS, CONFIG SET min-replicas-to-write 1, CONFIG SET min-replicas-to-write 0"
    })
    void pushesSucceedHealthSaysWhyAndTheLoaderCatchesUp(String why, String refuse, String heal) throws Exception {
        bridge.lead(1);
        bridge.push(bridge.message("before", "t", 0));
        awaitStatus("before", FINISH);
        assertThat(bridge.measured("mykit.delay.index.up")).isEqualTo(1);

        redis.command(refuse.split(" ", -1));
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !bridge.index().check().up());
        assertThat(bridge.index().check().details().get("reason")).asString().startsWith("refuses writes: " + why);
        assertThat(bridge.measured("mykit.delay.index.up")).isZero();
        for (int i = 0; i < 20; i++) {
            assertThat(bridge.push(bridge.message("m" + i, "t", 100))).isEqualTo(PushResult.ACCEPTED);
            assertThat(bridge.store().find("m" + i).orElseThrow().status()).isEqualTo(WAIT_PUT);
        }
        assertThat(bridge.measured("mykit.delay.index.refused")).isEqualTo(20);
        assertThat(bridge.store().check().up()).as("ready").isTrue();

        redis.command(heal.split(" ", -1));
        for (int i = 0; i < 20; i++) {
            awaitStatus("m" + i, FINISH);
            assertThat(path("m" + i))
                    .as("claimed once, and not again and again while there was no use")
                    .containsExactly(DELAY, WAIT_PUT, DELAY, READY, FINISH);
            assertThat(bridge.channel().arrivals("m" + i)).hasSize(1);
        }
        await().until(() -> bridge.index().check().up());
        assertThat(bridge.measured("mykit.delay.recovery.scheduled", "work", "load"))
                .isEqualTo(20);
    }

    @Test
    void aRestoreThatFillsRedisPutsTheMostUrgentThereAndTheRestAfterwards() throws Exception {
        int count = 12_000;
        List<String> inDueOrder = rows(count);
        long used = Long.parseLong(redis.info("used_memory"));
        redis.command("CONFIG", "SET", "maxmemory", Long.toString(used + (2 << 20)));
        bridge.lead(1);
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(1500))
                .until(this::isFullAndStandsStill);

        List<Integer> known = bridge.index().locate(inDueOrder).keySet().stream()
                .map(inDueOrder::indexOf)
                .sorted()
                .toList();
        int reached = known.get(known.size() - 1);
        assertThat(reached).as("there was room for a part").isBetween(PAGE, count - PAGE);
        assertThat(known)
                .as("DELAY and READY together, by due time, all but the page that was refused")
                .startsWith(IntStream.range(0, reached + 1 - PAGE).boxed().toArray(Integer[]::new));
        assertThat(bridge.recovery().up()).isTrue();
        assertThat(bridge.recovery().details()).containsOnlyKeys("buckets");
        assertThat(bridge.measured("mykit.delay.recovery.buckets"))
                .isEqualTo(bridge.index().buckets());
        assertThat(bridge.push(bridge.message("meanwhile", "t", 1_800_000))).isEqualTo(PushResult.ACCEPTED);

        redis.command("CONFIG", "SET", "maxmemory", "0");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> bridge.recovery().details().isEmpty());
        assertThat(bridge.index().locate(inDueOrder)).hasSize(count);
        await().atMost(Duration.ofSeconds(20)).until(() -> waiting() == count + 1);
        assertThat(bridge.measured("mykit.delay.recovery.buckets")).isZero();
    }

    /** Half of them READY, in turns, and due in this order. */
    private List<String> rows(int count) {
        List<String> ids = new ArrayList<>();
        for (int from = 0; from < count; from += PAGE) {
            List<NewMessage> page = IntStream.range(from, from + PAGE)
                    .mapToObj(i -> new NewMessage(bridge.message("row" + i, "t", 1_000_000 + 10L * i), DELAY))
                    .toList();
            bridge.store().insert(page);
            page.forEach(row -> ids.add(row.message().id()));
            List<Transition.Step> ready = List.of(
                    new Transition.Step(MessageStatus.READY, bridge.clock().millis()));
            bridge.store()
                    .move(IntStream.range(0, PAGE)
                            .filter(i -> i % 2 == 0)
                            .mapToObj(i -> page.get(i).message().id())
                            .map(id -> new Transition(id, 0, DELAY, ready, "test", 1))
                            .toList());
        }
        return ids;
    }

    /**
     * A part is there, and no more comes. The probe is no sign of it: a page on its way counts as memory in use, so there may be
     * memory for a key and none for a page.
     */
    private boolean isFullAndStandsStill() {
        long before = waitingBefore;
        waitingBefore = waiting();
        return waitingBefore == before && waitingBefore > 0;
    }

    private long waiting() {
        return IntStream.range(0, bridge.index().buckets())
                .mapToLong(bucket -> bridge.index().census(bucket).waiting())
                .sum();
    }
}
