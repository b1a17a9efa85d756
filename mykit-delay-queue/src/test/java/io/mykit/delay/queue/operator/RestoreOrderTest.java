package io.mykit.delay.queue.operator;

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
        assertThat(ClearOrder.ALL).hasToString("unfinished messages of all topics");
        assertThat(new ClearOrder(Optional.of("a"), true, false)).hasToString("due messages of topic a");
        assertThat(new ClearOrder(Optional.of("a"), true)).hasToString("unfinished messages of topic a, dry run");
    }
}
