package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.MessageBuilder;
import org.junit.jupiter.api.Test;

class JobJsonTest {
    @Test
    void isWhatTheOriginalSent() {
        DelayMessage message = MessageBuilder.withId("20")
                .topic("ces")
                .bizKey("biz")
                .body("{\"a\": \"é😀\n\u0000\\\"}")
                .created(1_900_000_000_000L)
                .delay(10_000)
                .priority(9)
                .ttl(12)
                .build();
        assertThat(JobJson.of(message))
                .isEqualTo(
                        "{\"bizKey\":\"biz\",\"body\":\"{\\\"a\\\": \\\"é😀\\n\\u0000\\\\\\\"}\",\"createTime\":1900000000000,"
                                + "\"delay\":10000,\"id\":\"20\",\"status\":2,\"subtopic\":\"\",\"topic\":\"ces\",\"ttl\":12}");
    }
}
