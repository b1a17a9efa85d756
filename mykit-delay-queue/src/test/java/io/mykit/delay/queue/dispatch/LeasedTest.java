package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeasedTest {
    @Test
    void aBatchOfSeveralBucketsGoesByDueTimeAndPriority() {
        List<Leased> taken = List.of(
                leased(0, "late", 5, 9),
                leased(0, "low", 4, 0),
                leased(1, "high", 4, 9),
                leased(1, "same", 4, 9),
                leased(2, "early", 3, 0));
        assertThat(Leased.sorted(taken)).extracting(Leased::id).containsExactly("early", "high", "same", "low", "late");
        assertThat(Leased.sorted(List.of())).isEmpty();
    }

    private static Leased leased(int bucket, String id, long dueTimeMs, int priority) {
        return new Leased(
                bucket,
                MessageBuilder.withId(id).created(dueTimeMs).priority(priority).build(),
                0);
    }
}
