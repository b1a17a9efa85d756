package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.producer.PushResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Ids that are used again and again: debounce, keep-alive, heartbeat; and the repeats of their pushes. */
class RearmIT extends BridgeFixture {
    private int keys;
    private Map<String, String> settings;

    @Override
    protected Map<String, String> settings() {
        settings = super.settings();
        return settings;
    }

    /** One message after the last edit, and again after the next edits. */
    @Test
    void debounce() throws Exception {
        for (int series = 1; series <= 3; series++) {
            // Without a leader no delivery begins, however slow this machine is.
            restAsLeaderOf("index-7", 2L * series);
            for (int edit = 1; edit <= 4; edit++) {
                DelayMessage message = bridge.message("index-7", "t", 400).withBody(series + "." + edit);
                boolean first = series == 1 && edit == 1;
                assertThat(replace(message)).isEqualTo(first ? PushResult.ACCEPTED : PushResult.REPLACED);
            }
            bridge.lead(2 * series + 1);
            awaitArrivals("index-7", series);
            awaitStatus("index-7", FINISH);
            bridge.rest();
        }
        assertThat(bodies("index-7")).containsExactly("1.4", "2.4", "3.4");
        assertLegalPath("index-7");
        assertIndexEmpty();
    }

    /** The same push after each sign of life; the message arrives when they cease, and the user comes back. */
    @Test
    void keepAlive() throws Exception {
        restAsLeaderOf("idle-u1", 1);
        DelayMessage idle = bridge.message("idle-u1", "t", 300);
        long due = 0;
        for (int sign = 0; sign < 5; sign++) {
            DelayMessage again = bridge.message("idle-u1", "t", 300);
            replace(again);
            due = again.dueTimeMs();
        }
        bridge.lead(2);
        awaitStatus("idle-u1", FINISH);
        assertThat(bridge.channel().arrivals("idle-u1").get(0).atMs()).isGreaterThanOrEqualTo(due);
        DelayMessage back = bridge.message("idle-u1", "t", 300);
        assertThat(back.sameContent(idle)).isTrue();
        assertThat(replace(back)).isEqualTo(PushResult.REPLACED);
        awaitArrivals("idle-u1", 2);
        awaitStatus("idle-u1", FINISH);
        assertThat(bridge.channel().arrivals("idle-u1").get(1).atMs()).isGreaterThanOrEqualTo(back.dueTimeMs());
        assertIndexEmpty();
    }

    /** The flow tells of each life, and the alarm can be taken back in each. */
    @Test
    void heartbeat() throws Exception {
        bridge.lead(1);
        replace(bridge.message("lost-d9", "t", 0));
        awaitStatus("lost-d9", FINISH);
        replace(bridge.message("lost-d9", "t", 60_000));
        bridge.cancel("lost-d9");
        replace(bridge.message("lost-d9", "t", 0));
        awaitArrivals("lost-d9", 2);
        awaitStatus("lost-d9", FINISH);
        assertThat(path("lost-d9"))
                .containsExactly(DELAY, READY, FINISH, RESTORE, DELAY, DELETE, RESTORE, DELAY, READY, FINISH);
        List<StatusFlow> flow = bridge.store().flow("lost-d9");
        assertThat(flow.get(2).atMs()).isLessThanOrEqualTo(flow.get(3).atMs());
        assertLegalPath("lost-d9");
        assertIndexEmpty();
    }

    /** The answer was lost, and the producer repeats the push at another server. */
    @Test
    void aRepeatIsDeliveredOnceAlsoAfterTheDelivery() throws Exception {
        try (Bridge other = new Bridge(settings)) {
            DelayMessage first = keyed("again", 300, "k1");
            assertThat(replace(first)).isEqualTo(PushResult.ACCEPTED);
            assertThat(replace(other, keyed("again", 300, "k1"))).isEqualTo(PushResult.same(DELAY));
            bridge.lead(1);
            awaitStatus("again", FINISH);
            assertThat(replace(other, keyed("again", 300, "k1"))).isEqualTo(PushResult.same(FINISH));
            assertThat(bridge.store().find("again").orElseThrow().message().dueTimeMs())
                    .isEqualTo(first.dueTimeMs());
            bridge.rest();
            assertThat(replace(other, keyed("again", 300, "k2"))).isEqualTo(PushResult.REPLACED);
            assertThat(replace(keyed("again", 300, "k2"))).isEqualTo(PushResult.same(DELAY));
            assertThat(replace(keyed("again", 300, "k1")))
                    .as("a late repeat does not undo a later push")
                    .isEqualTo(PushResult.same(DELAY));
            bridge.lead(2);
            awaitArrivals("again", 2);
            awaitStatus("again", FINISH);
            assertThat(replace(keyed("again", 300, "k1"))).isEqualTo(PushResult.same(FINISH));
            assertThat(bridge.channel().arrivals("again")).hasSize(2);
            assertIndexEmpty();
        }
    }

    /** Two tries of one push at the same time: the answer to the first one came too late for its producer. */
    @Test
    void triesOfOnePushAtTwoServersChangeTheMessageOnce() throws Exception {
        try (Bridge other = new Bridge(settings)) {
            replace(bridge.message("both", "t", 60_000));
            for (int round = 1; round <= 30; round++) {
                String key = "r" + round;
                List<CompletableFuture<PushResult>> tries = new ArrayList<>();
                for (Bridge node : List.of(bridge, other, bridge, other)) {
                    tries.add(node.pushAsync(keyed("both", 60_000 + round, key), true));
                }
                List<PushResult> results = new ArrayList<>();
                for (CompletableFuture<PushResult> each : tries) {
                    results.add(each.handle((result, failure) -> failure == null ? result : inDoubt(failure))
                            .get(20, TimeUnit.SECONDS));
                }
                assertThat(results).filteredOn(PushResult.REPLACED::equals).hasSizeLessThanOrEqualTo(1);
                assertThat(replace(keyed("both", 60_000 + round, key)).kind())
                        .as("the key is known, or no try came through: %s", results)
                        .isEqualTo(
                                results.stream().allMatch(result -> result == null)
                                        ? PushResult.Kind.REPLACED
                                        : PushResult.Kind.SAME);
                assertThat(bridge.store().find("both").orElseThrow().message().version())
                        .isEqualTo(round);
            }
        }
    }

    /** Each answer promises the index: the leader is still about to forget the delivery before. */
    @Test
    void theIndexHasTheNewMessageAsSoonAsItsPushIsAnswered() throws Exception {
        bridge.lead(1);
        for (int life = 1; life <= 40; life++) {
            replace(bridge.message("quick", "t", 0));
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> bridge.status("quick") == FINISH);
            replace(bridge.message("quick", "t", 60_000));
            assertThat(bridge.index()
                            .unknown(List.of(bridge.store()
                                    .find("quick")
                                    .orElseThrow()
                                    .message()
                                    .ref())))
                    .as("life %s", life)
                    .isEmpty();
        }
        assertThat(bridge.channel().arrivals("quick")).hasSize(40);
    }

    /** One of them gets the id, and no push takes it over. */
    @Test
    void twoTopicsWithOneIdAtOnce() throws Exception {
        try (Bridge other = new Bridge(settings)) {
            for (int round = 0; round < 30; round++) {
                String id = "order-" + round;
                List<CompletableFuture<PushResult>> pushes = Stream.of(bridge, other, bridge, other)
                        .map(node -> node.pushAsync(node.message(id, node == bridge ? "work" : "orders", 60_000), true))
                        .toList();
                List<Object> answers = new ArrayList<>();
                for (CompletableFuture<PushResult> push : pushes) {
                    answers.add(push.handle((result, failure) -> failure == null ? result.kind() : code(failure))
                            .get(20, TimeUnit.SECONDS));
                }
                String topic = bridge.store().find(id).orElseThrow().message().topic();
                assertThat(answers).containsOnlyOnce(PushResult.Kind.ACCEPTED);
                assertThat(List.of(answers.get(0), answers.get(1)))
                        .as("topic %s", topic)
                        .element(topic.equals("work") ? 1 : 0)
                        .isEqualTo(ErrorCode.ID_CONFLICT);
                assertThat(answers).filteredOn(ErrorCode.ID_CONFLICT::equals).hasSize(2);
            }
        }
    }

    private static PushResult inDoubt(Throwable failure) {
        assertThat(code(failure)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        return null;
    }

    private static ErrorCode code(Throwable failure) {
        Throwable cause = failure instanceof DelayException ? failure : failure.getCause();
        return ((DelayException) cause).code();
    }

    /** Each push has a key of its own, as those of the Java client have. */
    private PushResult replace(DelayMessage message) throws Exception {
        boolean keyed = !message.extras().idempotencyKeys().isEmpty();
        return replace(bridge, keyed ? message : withKey(message, "own-" + ++keys));
    }

    private static PushResult replace(Bridge node, DelayMessage message) throws Exception {
        return node.pushAsync(message, true).get(20, TimeUnit.SECONDS);
    }

    private DelayMessage keyed(String id, long delayMs, String key) {
        return withKey(bridge.message(id, "t", delayMs), key);
    }

    private static DelayMessage withKey(DelayMessage message, String key) {
        return message.withExtras(
                new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of(), 0, List.of(key), ""));
    }

    private void awaitArrivals(String id, int count) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(bridge.channel().arrivals(id)).hasSize(count));
    }

    private List<String> bodies(String id) {
        return bridge.channel().arrivals(id).stream()
                .map(arrival -> arrival.message().body())
                .toList();
    }
}
