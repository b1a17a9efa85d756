package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import org.junit.jupiter.api.Test;

class NewFlowTest {
    private static final String ROCKET = "\uD83D\uDE80";

    @Test
    void cutsWhatIsTooLongButNoCharacterInHalf() {
        NewFlow row = row("t".repeat(61), "x" + ROCKET.repeat(125));
        assertThat(row.thread()).isEqualTo("t".repeat(60));
        assertThat(row.detail()).isEqualTo("x" + ROCKET.repeat(124));
        assertThat(row("t".repeat(60), ROCKET.repeat(125)).detail()).isEqualTo(ROCKET.repeat(125));
    }

    private static NewFlow row(String thread, String detail) {
        return new NewFlow("id", null, MessageStatus.DELAY, 0, thread, "host", detail, UtcTime.text(0));
    }
}
