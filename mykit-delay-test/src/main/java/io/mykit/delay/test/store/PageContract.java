package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paging by key. */
interface PageContract {
    MessageStore store();

    @Test
    default void pagesByDueTimeAndIdOverEqualDueTimes() {
        List<NewMessage> batch = IntStream.range(0, 100)
                .mapToObj(i -> fresh(message(String.format("p%03d", (i * 37) % 100), T0 + (i * 37) % 100 / 10)))
                .toList();
        store().insert(batch);
        List<String> expected =
                IntStream.range(0, 100).mapToObj(i -> String.format("p%03d", i)).toList();

        List<String> paged = new ArrayList<>();
        RowCursor cursor = RowCursor.START;
        for (List<RowState> page = next(cursor); !page.isEmpty(); page = next(cursor)) {
            page.forEach(row -> paged.add(row.id()));
            RowState last = page.get(page.size() - 1);
            cursor = new RowCursor(last.dueTimeMs(), last.id());
        }

        assertThat(paged).isEqualTo(expected);
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 1000))
                .extracting(row -> row.message().id())
                .isEqualTo(expected);
    }

    private List<RowState> next(RowCursor cursor) {
        return store().pageStates(DELAY, cursor, Long.MAX_VALUE, 7);
    }

    @Test
    default void pagesOnlyWhatIsDueBeforeAndInTheStatus() {
        store().insert(List.of(
                fresh(message("a", T0)),
                fresh(message("b", T0 + 1)),
                fresh(message("c", T0 + 2)),
                new NewMessage(message("w", T0), WAIT_PUT)));

        assertThat(store().pageStates(DELAY, RowCursor.START, T0 + 2, 10))
                .containsExactly(new RowState("a", 0, DELAY, T0, T0, 0), new RowState("b", 0, DELAY, T0 + 1, T0, 0));
        assertThat(store().page(WAIT_PUT, RowCursor.START, Long.MAX_VALUE, 10))
                .containsExactly(new StoredMessage(message("w", T0), WAIT_PUT, 0, NOW));
        assertThat(store().page(DELAY, RowCursor.START, T0, 10)).isEmpty();
        assertThat(store().count(DELAY)).isEqualTo(3);
        assertThat(store().count(WAIT_PUT)).isEqualTo(1);
        assertThat(store().count(READY)).isZero();
        assertThat(store().page(READY, RowCursor.START, Long.MAX_VALUE, 10)).isEmpty();
    }
}
