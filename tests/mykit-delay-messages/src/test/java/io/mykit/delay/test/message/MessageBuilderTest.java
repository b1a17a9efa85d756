package io.mykit.delay.test.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessageBuilderTest {
    @Test
    void whatIsNotNamedIsEmpty() {
        assertThat(MessageBuilder.withId("7").build())
                .isEqualTo(new DelayMessage("7", "t", "", "", "", 0, 0, 0, 0, 0, 0, MessageExtras.NONE));
    }

    @Test
    void eachPartHasItsPlace() {
        MessageExtras extras = MessageExtras.NONE.withFirstDue(5);
        DelayMessage built = MessageBuilder.withId("7")
                .topic("orders")
                .subtopic("paid")
                .bizKey("k")
                .body("b")
                .created(100)
                .delay(20)
                .due(300)
                .priority(4)
                .ttl(6)
                .version(8)
                .extras(extras)
                .build();
        assertThat(built).isEqualTo(new DelayMessage("7", "orders", "paid", "k", "b", 20, 100, 300, 4, 6, 8, extras));
    }

    @Test
    void theTimesHangTogether() {
        DelayMessage delayed = MessageBuilder.withId("7").created(100).delay(20).build();
        assertThat(delayed.dueTimeMs()).isEqualTo(120);
        DelayMessage due = MessageBuilder.withId("7").created(100).due(130).build();
        assertThat(due.delayMs()).isEqualTo(30);
        DelayMessage atOnce = MessageBuilder.withId("7").created(100).build();
        assertThat(atOnce.dueTimeMs()).isEqualTo(100);
    }

    @Test
    void extrasThatAreNotNamedAreNone() {
        assertThat(ExtrasBuilder.extras().build()).isEqualTo(MessageExtras.NONE);
    }

    @Test
    void eachExtraHasItsPlace() {
        RetryOptions retry = new RetryOptions(3, null, null, null, null, null);
        assertThat(ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of("h", "1"))
                        .retry(retry)
                        .ttr(2)
                        .target(Map.of("url", "u"))
                        .firstDue(4)
                        .keys(List.of("k"))
                        .requestId("r")
                        .build())
                .isEqualTo(
                        new MessageExtras(true, Map.of("h", "1"), retry, 2, Map.of("url", "u"), 4, List.of("k"), "r"));
    }
}
