package io.mykit.delay.access.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class AuditTrailTest {
    private static final AuditedAction MAKE =
            new AuditedAction("boss", "127.0.0.1", "createToken", "shop", "by a test");

    private final MemoryMessageStore store = new MemoryMessageStore(InstantSource.system());
    private final AuditTrail trail = new AuditTrail(store.audit(), InstantSource.system());

    @Test
    void aCallHasItsRowBeforeItActs() {
        assertThat(trail.<List<String>>recorded(MAKE, this::outcomes)).containsExactly(AuditRow.BEGUN);
        assertThat(outcomes()).containsExactly("DONE");
        assertThatThrownBy(() -> trail.recorded(MAKE, () -> {
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(outcomes()).containsExactlyInAnyOrder("DONE", "FAILED");
    }

    @Test
    void aCallWithoutARowDoesNotAct() {
        AtomicBoolean acted = new AtomicBoolean();
        store.goAway();
        assertThatThrownBy(() -> trail.recorded(MAKE, () -> acted.getAndSet(true)))
                .isInstanceOf(DelayException.class);
        assertThat(acted).isFalse();
    }

    /** The caller of a call that made a token must get it. */
    @Test
    void aCallThatActedIsAnsweredAlsoIfItsOutcomeCannotBeWritten() {
        String made = trail.recorded(MAKE, () -> {
            store.goAway();
            return "token";
        });
        assertThat(made).isEqualTo("token");
        store.comeBack();
        assertThat(outcomes()).containsExactly(AuditRow.BEGUN);
    }

    private List<String> outcomes() {
        return trail.page(new AuditQuery("", 0, Optional.empty(), Optional.empty()), 10).stream()
                .map(AuditRow::outcome)
                .toList();
    }
}
