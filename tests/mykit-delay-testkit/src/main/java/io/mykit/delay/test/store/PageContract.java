package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Paging by key. */
interface PageContract extends StoreUnderTest {
    /** More than there are. */
    long BODIES = 1 << 20;

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
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 1000, BODIES)
                        .rows())
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
                .containsExactly(
                        new RowState("a", 0, DELAY, T0, NOW, 0, NOW), new RowState("b", 0, DELAY, T0 + 1, NOW, 0, NOW));
        assertThat(store().page(WAIT_PUT, RowCursor.START, Long.MAX_VALUE, 10, BODIES)
                        .rows())
                .containsExactly(new StoredMessage(message("w", T0), WAIT_PUT, 0, NOW));
        assertThat(store().page(DELAY, RowCursor.START, T0, 10, BODIES).rows()).isEmpty();
        assertThat(store().count(DELAY)).isEqualTo(3);
        assertThat(store().count(WAIT_PUT)).isEqualTo(1);
        assertThat(store().count(READY)).isZero();
        assertThat(store().count(DELAY, Long.MAX_VALUE, 2)).isEqualTo(2);
        assertThat(store().count(DELAY, T0 + 1, 10)).isEqualTo(1);
        assertThat(store().page(READY, RowCursor.START, Long.MAX_VALUE, 10, BODIES))
                .isEqualTo(new MessagePage(List.of(), true));
        assertThat(store().count(DELAY, Long.MAX_VALUE, 100)).isEqualTo(3);
        assertThat(store().count(DELAY, T0 + 2, 100)).isEqualTo(2);
        assertThat(store().count(DELAY, Long.MAX_VALUE, 2)).as("up to a limit").isEqualTo(2);
        assertThat(store().count(READY, Long.MAX_VALUE, 2)).isZero();
    }

    /** Bodies of 0, 1000, 2000 ... characters. */
    private List<StoredMessage> insertGrowing(int count) {
        store().insert(IntStream.range(0, count)
                .mapToObj(i -> fresh(message("g" + i, T0 + i).withBody("\u00e9".repeat(1000 * i))))
                .toList());
        return IntStream.range(0, count)
                .mapToObj(i ->
                        new StoredMessage(message("g" + i, T0 + i).withBody("\u00e9".repeat(1000 * i)), DELAY, 0, NOW))
                .toList();
    }

    @Test
    default void aPageIsNotLongerThanItsBodiesMayBe() {
        List<StoredMessage> all = insertGrowing(9);
        for (long bodies : new long[] {1, 1_000, 5_000, 10_000, 20_000, 40_000}) {
            List<StoredMessage> walked = new ArrayList<>();
            MessagePage page;
            do {
                RowCursor after = walked.isEmpty()
                        ? RowCursor.START
                        : new RowCursor(T0 + walked.size() - 1, "g" + (walked.size() - 1));
                page = store().page(DELAY, after, Long.MAX_VALUE, 4, bodies);
                assertThat(page.rows()).as("bodies of %d", bodies).hasSizeBetween(page.last() ? 0 : 1, 4);
                long characters = page.rows().stream()
                        .mapToLong(row -> row.message().body().length())
                        .sum();
                assertThat(page.rows().size() == 1 || characters <= bodies)
                        .as(
                                "%d characters in %d rows of %d",
                                characters, page.rows().size(), bodies)
                        .isTrue();
                walked.addAll(page.rows());
            } while (!page.last());
            assertThat(walked).as("bodies of %d", bodies).isEqualTo(all);
        }
        assertThat(store().page(DELAY, RowCursor.START, Long.MAX_VALUE, 100, Long.MAX_VALUE))
                .isEqualTo(new MessagePage(all, true));
    }

    @Test
    default void findsInPartsThatAreNotLongerThanTheirBodiesMayBe() {
        List<StoredMessage> all = insertGrowing(9);
        List<String> ids =
                new ArrayList<>(all.stream().map(row -> row.message().id()).toList());
        ids.add("unknown");
        for (long bodies : new long[] {1, 1_000, 5_000, 20_000, 1_000_000}) {
            List<StoredMessage> found = new ArrayList<>();
            store().find(ids, bodies, part -> {
                long characters = part.stream()
                        .mapToLong(row -> row.message().body().length())
                        .sum();
                assertThat(part.size() <= 1 || characters <= bodies).isTrue();
                found.addAll(part);
            });
            assertThat(found).as("bodies of %d", bodies).containsExactlyInAnyOrderElementsOf(all);
        }
    }
}
