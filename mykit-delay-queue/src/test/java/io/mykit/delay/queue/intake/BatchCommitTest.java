package io.mykit.delay.queue.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.schedule.ScheduleMeters;
import io.mykit.delay.queue.schedule.Scheduling;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchCommitTest {
    /** The memory is at its end before anything reaches the store. */
    private final InstantSource clock = () -> {
        throw new OutOfMemoryError("in a test");
    };

    @Test
    void anErrorLeavesNoPushWithoutAnswer() {
        Scheduling scheduling = new Scheduling(null, null, clock, Duration.ofHours(1), (ScheduleMeters) null);
        List<Push> batch = List.of(push("a"), push("b"));
        assertThatThrownBy(() -> new BatchCommit(null, scheduling, null).commit(batch))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(batch).allSatisfy(push -> assertThat(push.future()).isCompletedExceptionally());
    }

    private static Push push(String id) {
        return new Push(new DelayMessage(id, "t", "", "", "", 0, 0, 0, 5, 0), false);
    }
}
