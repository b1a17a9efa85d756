package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WaitingRowsTest {
    private static final Set<Integer> NONE = Set.of();
    private static final Set<Integer> OUT = Set.of(7);

    private final AtomicLong nanos = new AtomicLong();
    private RowCursor asked;
    private final WaitingRows rows = new WaitingRows(store(), MessageStatus.WAIT_PUT, nanos::get);

    @Test
    void whileAllAreServedItBeginsAtTheStartEachTime() {
        rows.pass(rows.page(NONE, 0, 2), NONE, false);
        rows.page(NONE, 0, 2);
        assertThat(asked).isEqualTo(RowCursor.START);
        assertThat(rows.isWhole()).isTrue();
    }

    @Test
    void itGoesOnBehindThoseThatAreNotServed() {
        rows.pass(rows.page(OUT, 0, 2), OUT, false);
        assertThat(rows.isWhole()).isFalse();
        rows.pass(rows.page(OUT, 0, 2), NONE, false);
        rows.page(OUT, 0, 2);
        assertThat(asked).isEqualTo(new RowCursor(4, "4"));
    }

    @Test
    void itBeginsAnewAsSoonAsTheyAreServedAgain() {
        rows.pass(rows.page(OUT, 0, 2), OUT, false);
        rows.page(Set.of(8), 0, 2);
        assertThat(asked).isEqualTo(RowCursor.START);
        assertThat(rows.isWhole()).isTrue();
    }

    @Test
    void itBeginsAnewSomeSecondsAfterItsEnd() {
        rows.pass(rows.page(OUT, 0, 5), OUT, false);
        rows.pass(rows.page(OUT, 0, 5), NONE, false);
        assertThat(asked).isEqualTo(new RowCursor(2, "2"));
        nanos.addAndGet(Duration.ofSeconds(6).toNanos());
        rows.page(OUT, 0, 5);
        assertThat(asked).isEqualTo(RowCursor.START);
    }

    @Test
    void itGoesOnBehindVetoedRowsAndBeginsAnewSoon() {
        rows.pass(rows.page(NONE, 0, 5), NONE, true);
        rows.page(NONE, 0, 5);
        assertThat(asked).isEqualTo(new RowCursor(2, "2"));
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        rows.page(NONE, 0, 5);
        assertThat(asked).isEqualTo(RowCursor.START);
    }

    /** Each page has the two rows behind the cursor: those due at 1 and 2, at 3 and 4 ... */
    private MessageStore store() {
        return (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(),
                new Class<?>[] {MessageStore.class},
                (proxy, method, arguments) -> {
                    asked = (RowCursor) arguments[1];
                    long last = asked.equals(RowCursor.START) ? 0 : asked.dueTimeMs();
                    return new MessagePage(List.of(row(last + 1), row(last + 2)), (int) arguments[3] > 2);
                });
    }

    private static StoredMessage row(long dueMs) {
        DelayMessage message = MessageBuilder.withId("" + dueMs).created(dueMs).build();
        return new StoredMessage(message, MessageStatus.WAIT_PUT, 0, 0);
    }
}
