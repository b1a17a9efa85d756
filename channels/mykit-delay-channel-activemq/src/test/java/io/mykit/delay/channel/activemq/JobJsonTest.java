package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import org.junit.jupiter.api.Test;

class JobJsonTest {
    @Test
    void isWhatTheOriginalSent() {
        DelayMessage message = new DelayMessage(
                "20",
                "ces",
                "",
                "biz",
                "{\"a\": \"é😀\n\u0000\\\"}",
                10_000,
                1_900_000_000_000L,
                1_900_000_010_000L,
                9,
                12);
        assertThat(JobJson.of(message))
                .isEqualTo(
                        "{\"bizKey\":\"biz\",\"body\":\"{\\\"a\\\": \\\"é😀\\n\\u0000\\\\\\\"}\",\"createTime\":1900000000000,"
                                + "\"delay\":10000,\"id\":\"20\",\"status\":2,\"subtopic\":\"\",\"topic\":\"ces\",\"ttl\":12}");
    }
}
