package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Status changes: whole or not at all, and with their log. */
interface MoveContract extends StoreUnderTest {
    @Test
    default void movesABigBatchAlongItsWay() {
        List<NewMessage> batch = fresh("m", 1000);
        assertThat(store().insert(batch)).hasSize(1000).allMatch(r -> r.kind() == Kind.INSERTED);

        List<Transition> moves = batch.stream()
                .map(m -> move(m.message().id(), DELAY, READY, FINISH))
                .toList();
        assertThat(store().move(moves)).isEmpty();

        List<String> ids = batch.stream().map(m -> m.message().id()).toList();
        assertThat(store().states(ids)).hasSize(1000).allMatch(s -> s.status() == FINISH);
        assertThat(store().flow("m0999"))
                .extracting(StatusFlow::from, StatusFlow::to)
                .containsExactly(tuple(null, DELAY), tuple(DELAY, READY), tuple(READY, FINISH));
        assertThat(moves()).isEqualTo(3000);
    }

    @Test
    default void eachRowOfARetryGetsADueTimeOfItsOwnAndKeepsItsFirst() {
        List<NewMessage> batch = fresh("m", 600);
        store().insert(batch);
        assertThat(store().move(retries(batch, 0, T0 + 10_000))).isEmpty();
        assertThat(store().move(retries(batch, 1, T0 + 20_000))).isEmpty();

        List<String> ids = batch.stream().map(m -> m.message().id()).toList();
        Map<String, RowState> rows = new HashMap<>();
        store().states(ids).forEach(row -> rows.put(row.id(), row));
        for (int i = 0; i < ids.size(); i++) {
            RowState row = rows.get(ids.get(i));
            assertThat(row.dueTimeMs()).isEqualTo(T0 + 20_000 + i);
            assertThat(row.attempts()).isEqualTo(2);
            assertThat(row.version()).isZero();
        }
        DelayMessage retried = store().find("m0599").orElseThrow().message();
        assertThat(retried.dueTimeMs()).isEqualTo(T0 + 20_599);
        assertThat(retried.firstDueMs()).isEqualTo(batch.get(599).message().dueTimeMs());
    }

    @Test
    default void aRetryOfARowThatChangedMeanwhileMovesNothing() {
        NewMessage message = fresh("a");
        store().insert(List.of(message, fresh("b")));
        store().move(List.of(move("a", DELAY, DELETE)));
        assertThat(store().move(retries(List.of(message, fresh("b")), 0, T0 + 10_000)))
                .containsExactly("a");
        assertThat(store().states(List.of("a")).get(0).dueTimeMs())
                .isEqualTo(message.message().dueTimeMs());
        assertThat(store().states(List.of("b")).get(0).dueTimeMs()).isEqualTo(T0 + 10_001);
    }

    /** A leader that was frozen records its attempt after its successor has made more. */
    @Test
    default void aLateRetryDoesNotTakeLaterAttemptsBack() {
        NewMessage message = fresh("a");
        store().insert(List.of(message, fresh("b")));
        List<Transition> late = retries(List.of(message, fresh("b")), 0, T0 + 10_000);
        store().move(retries(List.of(message), 1, T0 + 20_000));
        assertThat(store().move(late)).containsExactly("a");
        RowState row = store().states(List.of("a")).get(0);
        assertThat(row.attempts()).isEqualTo(2);
        assertThat(row.dueTimeMs()).isEqualTo(T0 + 20_000);
        assertThat(store().states(List.of("b")).get(0).attempts()).isEqualTo(1);
    }

    /** A consumer refuses a message at the end of its hold, and the leader counts the same attempt. */
    @Test
    default void ofTwoRetriesOfTheSameRowTheFirstOneCounts() {
        NewMessage message = fresh("a");
        store().insert(List.of(message, fresh("b")));
        List<Transition> second = retries(List.of(message, fresh("b")), 0, T0 + 10_000);
        store().move(retries(List.of(message), 0, T0 + 20_000));
        assertThat(store().move(second)).containsExactly("a");
        assertThat(store().states(List.of("a")).get(0).dueTimeMs()).isEqualTo(T0 + 20_000);
        assertThat(store().states(List.of("b")).get(0).dueTimeMs()).isEqualTo(T0 + 10_001);
    }

    /** A restore, or a push that Redis refused, has read the row before an attempt was counted. */
    @Test
    default void theAttemptsOfAVersionNeverBecomeFewer() {
        store().insert(List.of(fresh("a")));
        Transition.Step restored = new Transition.Step(WAIT_PUT, T0 + 7);
        Transition late = Transition.of(store().states(List.of("a")).get(0), List.of(restored), "tester");
        store().move(retries(List.of(fresh("a")), 1, T0 + 20_000));
        assertThat(store().move(List.of(late))).isEmpty();
        assertThat(store().states(List.of("a")).get(0)).satisfies(row -> {
            assertThat(row.status()).isEqualTo(WAIT_PUT);
            assertThat(row.attempts()).isEqualTo(2);
        });
    }

    @Test
    default void newContentBeginsWithoutRetries() {
        NewMessage old = fresh("a");
        store().insert(List.of(old));
        store().move(retries(List.of(old), 0, T0 + 10_000));
        DelayMessage next = message("a", T0 + 30_000).asVersion(1);
        assertThat(store().rewrite(next, move("a", DELAY, DELAY))).isTrue();
        assertThat(store().find("a").orElseThrow().message()).isEqualTo(next);
        assertThat(store().find("a").orElseThrow().attempts()).isZero();
    }

    /** Each message failed once more and is due a millisecond after the one before. */
    private List<Transition> retries(List<NewMessage> batch, int attempts, long firstMs) {
        List<Transition> retries = new ArrayList<>();
        List<Transition.Step> steps = List.of(new Transition.Step(READY, T0 + 5), new Transition.Step(DELAY, T0 + 6));
        Map<String, RowState> rows = new HashMap<>();
        store().states(batch.stream().map(item -> item.message().id()).toList())
                .forEach(row -> rows.put(row.id(), row));
        for (NewMessage item : batch) {
            RowState read = rows.get(item.message().id());
            RowState row = new RowState(
                    read.id(), 0, DELAY, read.dueTimeMs(), read.insertedMs(), attempts, read.updateTimeMs());
            retries.add(Transition.of(row, steps, "tester", attempts + 1).retriedAt(firstMs + retries.size()));
        }
        return retries;
    }

    @Test
    default void aMoveIsLoggedWithWhoWhenAndWhy() {
        store().insert(List.of(fresh("a")));
        List<Transition.Step> steps = List.of(
                new Transition.Step(READY, T0 + 7), new Transition.Step(DELAY, T0 + 8, "\uD83D\uDE80".repeat(126)));

        store().move(List.of(new Transition("a", 0, DELAY, steps, "bucket-".repeat(10), 2)));

        assertThat(store().flow("a"))
                .element(1)
                .isEqualTo(new StatusFlow(
                        "a", DELAY, READY, T0 + 7, "bucket-".repeat(10).substring(0, 60), "node-1", 2, ""));
        assertThat(store().flow("a"))
                .element(2)
                .isEqualTo(new StatusFlow(
                        "a",
                        READY,
                        DELAY,
                        T0 + 8,
                        "bucket-".repeat(10).substring(0, 60),
                        "node-1",
                        2,
                        "\uD83D\uDE80".repeat(125)));
        assertThat(store().find("a").orElseThrow().attempts()).isEqualTo(2);
    }

    @Test
    default void whatLostItsRaceIsLeftOutAndTheRestMoves() {
        store().insert(List.of(fresh("a"), fresh("b"), fresh("c"), fresh("d")));
        store().move(List.of(move("b", DELAY, DELETE)));

        Set<String> lost = store().move(List.of(
                move("d", DELAY, READY),
                move("c", DELAY, DELETE),
                move("b", DELAY, READY),
                move("unknown", DELAY, READY),
                move("a", DELAY, READY)));

        assertThat(lost).containsExactlyInAnyOrder("b", "unknown");
        assertThat(store().states(List.of("a", "b", "c", "d")))
                .extracting(RowState::id, RowState::status)
                .containsExactlyInAnyOrder(
                        tuple("a", READY), tuple("b", DELETE), tuple("c", DELETE), tuple("d", READY));
        assertThat(store().flow("b")).hasSize(2);
        assertThat(store().flow("unknown")).isEmpty();
        assertThat(moves()).isEqualTo(8);
    }

    @Test
    default void oneMessageMayMoveTwiceInACall() {
        store().insert(List.of(fresh("a")));
        assertThat(store().move(List.of(move("a", DELAY, READY), move("a", READY, FINISH))))
                .isEmpty();
        assertThat(store().find("a").orElseThrow().status()).isEqualTo(FINISH);
        assertThat(store().flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, READY, FINISH);
    }

    @Test
    default void aMoveThatChangesNothingInTheRowCountsAsMade() {
        store().insert(List.of(fresh("a")));
        assertThat(store().move(List.of(move("a", DELAY, DELAY)))).isEmpty();
        assertThat(store().flow("a")).hasSize(2);
    }

    @Test
    default void rewritesAllButIdAndTopic() {
        store().insert(List.of(fresh("a")));
        String topic = fresh("a").message().topic();
        DelayMessage taken = MessageBuilder.withId("a")
                .topic("other")
                .subtopic("s")
                .bizKey("k")
                .body("new body")
                .created(T0 + 1)
                .delay(5)
                .due(T0 + 6)
                .priority(1)
                .ttl(2)
                .version(1)
                .build();
        assertThat(store().rewrite(taken, move("a", DELAY, WAIT_PUT)))
                .as("the message of another topic")
                .isFalse();
        assertThat(store().flow("a")).hasSize(1);
        DelayMessage other = MessageBuilder.withId("a")
                .topic(topic)
                .subtopic("s")
                .bizKey("k")
                .body("new body")
                .created(T0 + 1)
                .delay(5)
                .due(T0 + 6)
                .priority(1)
                .ttl(2)
                .version(1)
                .build();

        assertThat(store().rewrite(other, move("a", DELAY, WAIT_PUT))).isTrue();
        assertThat(store().find("a")).contains(new StoredMessage(other, WAIT_PUT, 0, NOW));
        assertThat(store().flow("a")).extracting(StatusFlow::to).containsExactly(DELAY, WAIT_PUT);

        assertThat(store().rewrite(message("a", "third").asVersion(1), move("a", DELAY, DELAY)))
                .isFalse();
        assertThat(store().rewrite(message("none", "x").asVersion(1), move("none", DELAY, DELAY)))
                .isFalse();
        assertThat(store().find("a").orElseThrow().message()).isEqualTo(other);
        assertThat(store().flow("a")).hasSize(2);
    }

    /** As the id of a heartbeat, which is replaced for months. */
    @Test
    default void theLogOfManyVersionsIsCutToTheNewestMoves() {
        store().insert(List.of(fresh("a"), fresh("b")));
        for (int version = 1; version <= 400; version++) {
            Transition next = Transition.of(
                    store().states(List.of("a")).get(0),
                    List.of(new Transition.Step(DELAY, NOW, "to " + version)),
                    "tester");
            assertThat(store().rewrite(message("a", "x").asVersion(version), next))
                    .isTrue();
        }
        List<StatusFlow> flow = store().flow("a");
        assertThat(flow).hasSizeBetween(200, 320);
        assertThat(flow.get(0).from()).as("the log does not look whole").isNotNull();
        assertThat(flow.get(flow.size() - 1).detail()).isEqualTo("to 400");
        assertThat(store().flow("b")).hasSize(1);
    }

    @Test
    default void whatHappensToOneVersionDoesNotTouchAnother() {
        store().insert(List.of(fresh("a")));
        assertThat(store().rewrite(message("a", "second").asVersion(1), move("a", DELAY, DELAY)))
                .isTrue();

        assertThat(store().rewrite(message("a", "also second").asVersion(1), move("a", DELAY, DELAY)))
                .as("two replacements of the first version: one wins")
                .isFalse();
        assertThat(store().move(List.of(move("a", DELAY, READY, FINISH)))).containsExactly("a");
        assertThat(store().states(List.of("a"))).containsExactly(new RowState("a", 1, DELAY, T0 + 1000, NOW, 0, NOW));
        assertThat(store().find("a").orElseThrow().message())
                .isEqualTo(message("a", "second").asVersion(1));

        Transition second = move("a", DELAY, READY);
        assertThat(store().move(List.of(new Transition("a", 1, DELAY, second.steps(), "tester", 0))))
                .isEmpty();
        assertThat(store().states(List.of("a"))).extracting(RowState::status).containsExactly(READY);
    }

    @Test
    default void aRewriteIsOfTheNextVersion() {
        store().insert(List.of(fresh("a")));
        assertThatThrownBy(() -> store().rewrite(message("a", "same version"), move("a", DELAY, DELAY)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("version 0");
    }
}
