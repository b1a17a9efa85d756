package io.mykit.delay.common.message;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.EXPIRED;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.common.message.MessageStatus.WAIT_PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageStatusTest {
    /** Rows: from; columns in the order of the codes: to. Written out on purpose, not computed. */
    private static final List<String> MOVES = List.of(
            //         WAIT_PUT DELAY READY FINISH DELETE RESTORE FAILED EXPIRED
            "WAIT_PUT  yes      yes   yes   -      yes    yes     -      yes",
            "DELAY     yes      yes   yes   -      yes    yes     -      yes",
            "READY     yes      yes   -     yes    yes    yes     yes    yes",
            "FINISH    -        -     -     -      -      yes     -      -",
            "DELETE    -        -     -     yes    -      yes     -      -",
            "RESTORE   yes      yes   yes   -      yes    -       -      yes",
            "FAILED    -        -     -     -      yes    yes     -      -",
            "EXPIRED   -        -     -     -      -      yes     -      -");

    @Test
    void everyPairOfMovesIsAsTheTableSays() {
        assertThat(MOVES).hasSize(MessageStatus.values().length);
        for (String row : MOVES) {
            List<String> cells = List.of(row.split("\\s+", -1));
            MessageStatus from = MessageStatus.valueOf(cells.get(0));
            for (MessageStatus to : MessageStatus.values()) {
                assertThat(from.canBecome(to))
                        .as("%s -> %s", from, to)
                        .isEqualTo(cells.get(1 + to.code()).equals("yes"));
            }
        }
    }

    @Test
    void theCodesAreAContract() {
        assertThat(Map.of(WAIT_PUT, 0, DELAY, 1, READY, 2, FINISH, 3, DELETE, 4, RESTORE, 5, FAILED, 6, EXPIRED, 7))
                .hasSize(MessageStatus.values().length)
                .allSatisfy((status, code) -> {
                    assertThat(status.code()).isEqualTo(code);
                    assertThat(MessageStatus.ofCode(code)).isEqualTo(status);
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 8, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void anUnknownCodeIsNamed(int code) {
        assertThatThrownBy(() -> MessageStatus.ofCode(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(code));
    }

    @ParameterizedTest
    @EnumSource
    void unfinishedMessagesCanBeCancelledAndDeadLettersDiscarded(MessageStatus status) {
        assertThat(status.isUnfinished())
                .isEqualTo(List.of(WAIT_PUT, DELAY, READY, RESTORE).contains(status));
        assertThat(status.canBecome(DELETE)).isEqualTo(status.isUnfinished() || status == FAILED);
        assertThat(status.canBegin()).isEqualTo(status == WAIT_PUT || status == DELAY);
    }
}
