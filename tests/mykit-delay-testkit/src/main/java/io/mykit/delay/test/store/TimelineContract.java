package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The moves of a message, wherever the store keeps them. */
interface TimelineContract extends StoreUnderTest {
    /** Some were delivered together, others at times of their own. */
    @Test
    default void eachMessageOfABatchKeepsItsOwnTimes() {
        List<NewMessage> batch = fresh("m", 300);
        store().insert(batch);
        List<Transition> ends = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long readyMs = T0 + (i % 3 == 0 ? 1 : i / 5);
            ends.add(end(batch.get(i).message().id(), 0, readyMs, readyMs + 1 + i % 3));
        }
        assertThat(store().move(ends)).isEmpty();
        for (int i = 0; i < 300; i++) {
            Transition end = ends.get(i);
            assertThat(store().flow(end.id()))
                    .containsExactly(
                            new StatusFlow(
                                    end.id(),
                                    null,
                                    DELAY,
                                    NOW,
                                    Thread.currentThread().getName(),
                                    "node-1",
                                    0,
                                    ""),
                            flow(end, DELAY, 0),
                            flow(end, READY, 1));
        }
    }

    @Test
    default void aBatchWithALostRaceKeepsTheEndsOfTheOthers() {
        List<NewMessage> batch = fresh("m", 50);
        store().insert(batch);
        store().move(List.of(move("m0007", DELAY, DELETE)));
        List<Transition> ends = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            ends.add(end(batch.get(i).message().id(), 0, T0 + i, T0 + 2L * i + 1));
        }
        assertThat(store().move(ends)).containsExactly("m0007");
        assertThat(path("m0007")).containsExactly(DELAY, DELETE);
        assertThat(store().flow("m0049")).extracting(StatusFlow::atMs).containsExactly(NOW, T0 + 49, T0 + 99);
    }

    @Test
    default void aDeliveryThatWasPutOffEndsAfterIt() {
        store().insert(List.of(fresh("a")));
        Transition.Step ready = new Transition.Step(READY, T0 + 1, "the broker is away");
        store().move(List.of(new Transition("a", 0, DELAY, List.of(ready), "tester", 0)));
        store().move(List.of(move("a", READY, FINISH)));
        assertThat(store().flow("a"))
                .extracting(StatusFlow::from, StatusFlow::to, StatusFlow::atMs, StatusFlow::detail)
                .containsExactly(
                        tuple(null, DELAY, NOW, ""),
                        tuple(DELAY, READY, T0 + 1, "the broker is away"),
                        tuple(READY, FINISH, T0 + 5, ""));
    }

    @Test
    default void anAttemptAfterFailuresEndsWithTheirNumber() {
        store().insert(List.of(new NewMessage(message("a", T0), WAIT_PUT)));
        store().move(List.of(move("a", WAIT_PUT, DELAY)));
        List<Transition.Step> failed =
                List.of(new Transition.Step(READY, T0 + 1), new Transition.Step(DELAY, T0 + 2, "refused"));
        store().move(List.of(new Transition("a", 0, DELAY, failed, "tester", 1)));
        store().move(List.of(end("a", 1, T0 + 3, T0 + 4)));
        assertThat(store().flow("a"))
                .extracting(StatusFlow::to, StatusFlow::attempt)
                .containsExactly(
                        tuple(WAIT_PUT, 0),
                        tuple(DELAY, 0),
                        tuple(READY, 1),
                        tuple(DELAY, 1),
                        tuple(READY, 1),
                        tuple(FINISH, 1));
    }

    @Test
    default void anEndWithADetailKeepsIt() {
        store().insert(List.of(fresh("a"), fresh("b")));
        List<Transition.Step> steps =
                List.of(new Transition.Step(READY, T0 + 1), new Transition.Step(FINISH, T0 + 2, "no result is kept"));
        store().move(List.of(new Transition("a", 0, DELAY, steps, "tester", 0), move("b", DELAY, READY, FINISH)));
        assertThat(path("a")).containsExactly(DELAY, READY, FINISH);
        assertThat(store().flow("a")).last().extracting(StatusFlow::detail).isEqualTo("no result is kept");
        assertThat(path("b")).containsExactly(DELAY, READY, FINISH);
    }

    @Test
    default void aMessageThatIsRestoredAfterItsEndKeepsBothEnds() {
        store().insert(List.of(fresh("a"), fresh("b")));
        store().move(List.of(end("a", 0, T0 + 1, T0 + 2), end("b", 0, T0 + 1, T0 + 2)));
        store().move(List.of(move("a", FINISH, RESTORE, DELAY), move("b", FINISH, RESTORE)));
        assertThat(path("a")).containsExactly(DELAY, READY, FINISH, RESTORE, DELAY);
        assertThat(path("b")).containsExactly(DELAY, READY, FINISH, RESTORE);
        store().move(List.of(end("a", 0, T0 + 7, T0 + 8)));
        assertThat(store().flow("a"))
                .extracting(StatusFlow::to, StatusFlow::atMs, StatusFlow::thread, StatusFlow::host)
                .endsWith(tuple(READY, T0 + 7, "tester", "node-1"), tuple(FINISH, T0 + 8, "tester", "node-1"))
                .contains(tuple(READY, T0 + 1, "tester", "node-1"), tuple(FINISH, T0 + 2, "tester", "node-1"))
                .hasSize(7);
    }

    @Test
    default void newContentAfterTheEndKeepsTheEnd() {
        store().insert(List.of(fresh("a")));
        store().move(List.of(end("a", 3, T0 + 1, T0 + 2)));
        assertThat(store().rewrite(message("a", T0 + 9).asVersion(1), move("a", FINISH, RESTORE, DELAY)))
                .isTrue();
        Transition second = end("a", 0, T0 + 10, T0 + 11);
        store().move(List.of(new Transition("a", 1, DELAY, second.steps(), "tester", 0)));
        assertThat(path("a")).containsExactly(DELAY, READY, FINISH, RESTORE, DELAY, READY, FINISH);
        assertThat(store().flow("a"))
                .filteredOn(move -> move.to() == FINISH)
                .extracting(StatusFlow::attempt)
                .containsExactly(3, 0);
    }

    private List<MessageStatus> path(String id) {
        return store().flow(id).stream().map(StatusFlow::to).toList();
    }

    private static Transition end(String id, int attempts, long readyMs, long finishMs) {
        return new Transition(
                id,
                0,
                DELAY,
                List.of(new Transition.Step(READY, readyMs), new Transition.Step(FINISH, finishMs)),
                "tester",
                attempts);
    }

    private static StatusFlow flow(Transition end, MessageStatus from, int step) {
        Transition.Step to = end.steps().get(step);
        return new StatusFlow(end.id(), from, to.to(), to.atMs(), "tester", "node-1", end.attempts(), "");
    }
}
