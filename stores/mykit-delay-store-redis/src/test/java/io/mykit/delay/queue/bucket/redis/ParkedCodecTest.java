package io.mykit.delay.queue.bucket.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParkedCodecTest {
    @ParameterizedTest
    @EnumSource
    void aDeadLetterKeepsItsReason(DeadReason reason) {
        ParkedOutcome outcome = new ParkedOutcome("m", 3, MessageStatus.FAILED, 5, 6, 2, "HTTP 410 | gone", reason);
        assertThat(ParkedCodec.decode("m", ParkedCodec.encode(outcome))).isEqualTo(outcome);
    }

    /** Nodes of older versions show it as the detail. */
    @Test
    void theReasonStandsBeforeTheDetail() {
        ParkedOutcome outcome = new ParkedOutcome("m", 0, MessageStatus.FAILED, 5, 6, 2, "no", DeadReason.BURIED);
        assertThat(new String(ParkedCodec.encode(outcome), UTF_8)).isEqualTo("1|6|5|6|2|BURIED: no");
    }

    @Test
    void theDetailOfAnotherOutcomeIsNoReason() {
        ParkedOutcome outcome = new ParkedOutcome("m", 0, MessageStatus.FINISH, 5, 6, 2, "REFUSED: no");
        assertThat(ParkedCodec.decode("m", ParkedCodec.encode(outcome))).isEqualTo(outcome);
    }
}
