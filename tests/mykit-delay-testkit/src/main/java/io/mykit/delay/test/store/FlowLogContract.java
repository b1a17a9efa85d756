package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.Transition;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The lower levels of the flow log. Rows move as ever. */
interface FlowLogContract extends StoreUnderTest {
    @Test
    default void atLevelFinalOnlyTheEndIsLogged() {
        try (MessageStore store = open(FlowLog.FINAL)) {
            useAll(store);
            assertThat(store.flow("finished"))
                    .containsExactly(new StatusFlow("finished", READY, FINISH, T0 + 5, "tester", "node-1", 0, ""));
            assertThat(store.flow("cancelled")).extracting(StatusFlow::from).containsExactly(DELAY);
            assertThat(store.flow("waiting")).isEmpty();
            assertThat(store.flow("back")).extracting(StatusFlow::to).containsExactly(FAILED);
        }
    }

    @Test
    default void atLevelFinalAMessageThatIsRestoredAfterItsEndKeepsBothEnds() {
        try (MessageStore store = open(FlowLog.FINAL)) {
            store.insert(List.of(fresh("a")));
            store.move(List.of(end("a", T0 + 2)));
            store.move(List.of(move("a", FINISH, RESTORE, DELAY)));
            store.move(List.of(end("a", T0 + 8)));
            assertThat(store.flow("a"))
                    .extracting(StatusFlow::to, StatusFlow::atMs)
                    .containsExactly(tuple(FINISH, T0 + 2), tuple(FINISH, T0 + 8));
        }
    }

    /** The restore is logged, and the first end is not. */
    @Test
    default void theEndAfterARestoreIsLastAlthoughTheFirstEndWasNotLogged() {
        try (MessageStore off = open(FlowLog.OFF);
                MessageStore full = open(FlowLog.FULL)) {
            off.insert(List.of(fresh("a")));
            off.move(List.of(end("a", T0 + 2)));
            full.move(List.of(move("a", FINISH, RESTORE, DELAY)));
            full.move(List.of(end("a", T0 + 8)));
            assertThat(full.flow("a")).extracting(StatusFlow::to).containsExactly(RESTORE, DELAY, READY, FINISH);
        }
    }

    @Test
    default void atLevelOffNothingIsLogged() {
        try (MessageStore store = open(FlowLog.OFF)) {
            useAll(store);
            assertThat(moves()).isZero();
            assertThat(store.flow("waiting")).isEmpty();
            assertThat(store.states(List.of("waiting")).get(0).insertedMs()).isEqualTo(StoreFixture.NOW);
        }
    }

    private static Transition end(String id, long finishMs) {
        List<Transition.Step> steps =
                List.of(new Transition.Step(READY, finishMs - 1), new Transition.Step(FINISH, finishMs));
        return new Transition(id, 0, DELAY, steps, "tester", 0);
    }

    private static void useAll(MessageStore store) {
        store.insert(List.of(fresh("finished"), fresh("cancelled"), fresh("waiting"), fresh("back")));
        Set<String> lost = store.move(List.of(
                move("finished", DELAY, READY, FINISH),
                move("cancelled", DELAY, DELETE),
                move("waiting", DELAY, READY),
                move("back", DELAY, READY, FAILED),
                move("unknown", DELAY, DELETE)));
        assertThat(lost).containsExactly("unknown");
        assertThat(store.rewrite(message("back", T0).asVersion(1), move("back", FAILED, RESTORE, DELAY)))
                .isTrue();
        assertThat(store.find("finished").orElseThrow().status()).isEqualTo(FINISH);
        assertThat(store.find("cancelled").orElseThrow().status()).isEqualTo(DELETE);
        assertThat(store.find("waiting").orElseThrow().status()).isEqualTo(READY);
        assertThat(store.find("back").orElseThrow().status()).isEqualTo(DELAY);
    }
}
