package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of the audit. */
interface AuditContract extends StoreUnderTest {
    AuditQuery ALL = new AuditQuery("", 0, Optional.empty(), Optional.empty());

    @Test
    default void aRowIsWrittenOnceAndGetsItsOutcome() {
        AuditRow row = row(1, "pause", "operator");
        store().audit().write(row);
        store().audit().write(row);
        assertThat(store().audit().page(ALL, 10)).containsExactly(row);

        store().audit().end(row.id(), "DONE");
        store().audit().end("9999999999999-00000000", "DONE");
        assertThat(store().audit().page(ALL, 10)).extracting(AuditRow::outcome).containsExactly("DONE");
        // A repeat whose first answer was lost must not hide the outcome.
        store().audit().write(row);
        assertThat(store().audit().page(ALL, 10)).extracting(AuditRow::outcome).containsExactly("DONE");
    }

    @Test
    default void theLongestTextsFit() {
        AuditRow row = new AuditRow(
                id(1) + "12",
                NOW + 1,
                "ä".repeat(AuditRow.MAX_ACTOR),
                "a".repeat(AuditRow.MAX_ADDRESS),
                "a".repeat(AuditRow.MAX_ACTION),
                "题".repeat(AuditRow.MAX_OBJECT),
                "题".repeat(AuditRow.MAX_DETAIL),
                "o".repeat(AuditRow.MAX_OUTCOME));
        assertThat(row.id()).hasSize(AuditRow.MAX_ID);
        store().audit().write(row);
        assertThat(store().audit().page(ALL, 10)).containsExactly(row);
    }

    @Test
    default void theNewestComeFirstPageByPageAndFiltersHold() {
        for (int i = 0; i < 9; i++) {
            store().audit().write(row(i, i % 3 == 0 ? "clear" : "pause", i % 2 == 0 ? "operator" : "viewer"));
        }
        List<AuditRow> first = store().audit().page(ALL, 4);
        assertThat(first).extracting(AuditRow::timeMs).containsExactly(NOW + 8, NOW + 7, NOW + 6, NOW + 5);
        assertThat(store().audit().page(new AuditQuery(first.get(3).id(), 0, Optional.empty(), Optional.empty()), 40))
                .extracting(AuditRow::timeMs)
                .containsExactly(NOW + 4, NOW + 3, NOW + 2, NOW + 1, NOW);
        assertThat(store().audit().page(new AuditQuery("", NOW + 7, Optional.empty(), Optional.empty()), 40))
                .extracting(AuditRow::timeMs)
                .containsExactly(NOW + 8, NOW + 7);
        assertThat(store().audit().page(new AuditQuery("", 0, Optional.of("clear"), Optional.empty()), 40))
                .extracting(AuditRow::timeMs)
                .containsExactly(NOW + 6, NOW + 3, NOW);
        assertThat(store().audit().page(new AuditQuery(id(6), NOW, Optional.of("clear"), Optional.of("operator")), 40))
                .extracting(AuditRow::timeMs)
                .containsExactly(NOW);
        assertThat(store().audit().page(new AuditQuery("", 0, Optional.of("CLEAR"), Optional.empty()), 40))
                .isEmpty();
    }

    @Test
    default void theOldestAreRemovedAFewAtATime() {
        for (int i = 0; i < 7; i++) {
            store().audit().write(row(i, "pause", "operator"));
        }
        assertThat(store().audit().remove(NOW + 5, 3)).isEqualTo(3);
        assertThat(store().audit().page(ALL, 10)).extracting(AuditRow::timeMs).endsWith(NOW + 4, NOW + 3);
        assertThat(store().audit().remove(NOW + 5, 3)).isEqualTo(2);
        assertThat(store().audit().remove(NOW + 5, 3)).isZero();
        assertThat(store().audit().page(ALL, 10)).extracting(AuditRow::timeMs).containsExactly(NOW + 6, NOW + 5);
    }

    private static AuditRow row(int i, String action, String actor) {
        return new AuditRow(id(i), NOW + i, actor, "10.0.0.7", action, "orders", "for=1h", AuditRow.BEGUN);
    }

    private static String id(int i) {
        return NOW + i + "-0000000" + i;
    }
}
