package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestoreOrderTest {
    private final RestoreOrder order = new RestoreOrder(false, Optional.of("a"), false, false);

    @Test
    void itsKindIsWhatItDoesToWhichRows() {
        assertThat(order.isLike(new RestoreOrder(false, Optional.of("a"), true, true)))
                .isTrue();
        assertThat(order.isLike(new RestoreOrder(true, Optional.of("a"), false, false)))
                .isFalse();
        assertThat(order.isLike(RestoreOrder.all(false))).isFalse();
    }

    @Test
    void isSaidInTheOperatorsWords() {
        assertThat(order).hasToString("expire=false of topic=a");
        assertThat(new RestoreOrder(true, Optional.empty(), true, false))
                .hasToString("expire=true of all topics, dry run");
        assertThat(ClearOrder.ALL).hasToString("every unfinished message is cancelled");
        assertThat(new ClearOrder(Optional.of("a"), true, false))
                .hasToString("every due message of topic a is cancelled");
        assertThat(new ClearOrder(Optional.of("a"), true))
                .hasToString("every unfinished message of topic a is counted, none cancelled");
    }
}
