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
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The removal of ended messages. All rows were last changed at {@link StoreFixture#NOW}. */
interface RemovalContract extends StoreUnderTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 17, 100, 513})
    default void whatEndedGoesWithItsLog(int size) {
        List<NewMessage> batch = fresh("m", size);
        store().insert(batch);
        store().insert(List.of(fresh("stays")));
        List<String> ids = batch.stream().map(item -> item.message().id()).toList();
        store().move(ids.stream().map(id -> move(id, DELAY, READY, FINISH)).toList());

        assertThat(store().remove(FINISH, NOW + 1, ids)).isEqualTo(size);

        assertThat(rows()).isEqualTo(1);
        assertThat(moves()).isEqualTo(1);
        assertThat(store().find("stays")).isPresent();
        assertThat(store().flow("stays")).hasSize(1);
        assertThat(store().remove(FINISH, NOW + 1, ids)).isZero();
    }

    @Test
    default void whatIsInAnotherStatusStays() {
        store().insert(List.of(fresh("a"), fresh("b"), fresh("c")));
        store().move(List.of(
                move("a", DELAY, READY, FINISH), move("b", DELAY, DELETE), move("c", DELAY, READY, FAILED)));
        store().move(List.of(move("a", FINISH, RESTORE, DELAY)));

        assertThat(store().remove(FINISH, NOW + 1, List.of("a", "b", "c", "unknown")))
                .isZero();

        assertThat(rows()).isEqualTo(3);
        assertThat(moves()).isEqualTo(10);
    }

    @Test
    default void whatWasChangedSinceStays() {
        store().insert(List.of(fresh("a")));
        store().move(List.of(move("a", DELAY, DELETE)));

        assertThat(store().remove(DELETE, NOW, List.of("a"))).isZero();
        assertThat(store().flow("a")).hasSize(2);
        assertThat(store().remove(DELETE, NOW + 1, List.of("a"))).isEqualTo(1);
        assertThat(store().flow("a")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = MessageStatus.class,
            names = {"WAIT_PUT", "DELAY", "READY", "RESTORE"})
    default void theUnfinishedCannotBeRemoved(MessageStatus status) {
        store().insert(List.of(fresh("a")));
        assertThatIllegalArgumentException().isThrownBy(() -> store().remove(status, Long.MAX_VALUE, List.of("a")));
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    default void anIdThatWasRemovedMayComeAgain() {
        store().insert(List.of(fresh("a")));
        store().move(List.of(move("a", DELAY, DELETE)));
        store().remove(DELETE, NOW + 1, List.of("a"));

        assertThat(store().insert(List.of(fresh("a")))).containsExactly(InsertResult.INSERTED);
        assertThat(store().flow("a")).hasSize(1);
    }

    @Test
    default void aRestoreAndARemovalOfTheSameMessagesNeverLeaveHalf() throws Exception {
        List<NewMessage> batch = fresh("r", 300);
        List<String> ids = batch.stream().map(item -> item.message().id()).toList();
        store().insert(batch);
        store().move(ids.stream().map(id -> move(id, DELAY, READY, FINISH)).toList());

        CompletableFuture<Integer> removal = CompletableFuture.supplyAsync(
                () -> ids.stream().mapToInt(this::removeOne).sum());
        int restored = 0;
        for (int i = ids.size() - 1; i >= 0; i--) {
            restored += store().move(List.of(move(ids.get(i), FINISH, RESTORE, DELAY)))
                            .isEmpty()
                    ? 1
                    : 0;
        }

        assertThat(removal.get(30, TimeUnit.SECONDS) + restored).isEqualTo(300);
        assertThat(rows()).isEqualTo(restored);
        assertThat(moves()).isEqualTo(restored * 5L);
    }

    private int removeOne(String id) {
        return store().remove(FINISH, NOW + 1, List.of(id));
    }

    @Test
    default void pagesWhatEnded() {
        store().insert(List.of(fresh(message("b", T0 + 2)), fresh(message("a", T0 + 2)), fresh(message("c", T0 + 1))));
        store().move(List.of(move("a", DELAY, DELETE), move("b", DELAY, DELETE)));

        assertThat(store().pageEnded(DELETE, RowCursor.START, Long.MAX_VALUE, 10))
                .containsExactly(new EndedRow("a", T0 + 2, NOW), new EndedRow("b", T0 + 2, NOW));
        assertThat(store().pageEnded(DELETE, new RowCursor(T0 + 2, "a"), Long.MAX_VALUE, 10))
                .containsExactly(new EndedRow("b", T0 + 2, NOW));
        assertThat(store().pageEnded(DELETE, RowCursor.START, T0 + 2, 10)).isEmpty();
    }
}
