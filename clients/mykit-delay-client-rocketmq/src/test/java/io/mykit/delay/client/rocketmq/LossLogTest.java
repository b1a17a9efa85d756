package io.mykit.delay.client.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LossLogTest {
    @Test
    void aLineHasTheNumberSinceTheLastOne() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
        LossLog log = new LossLog(now::get);
        Exception reason = new IllegalStateException("away");
        assertThat(log.lost(1, reason)).contains("1 since the last such line: away");
        assertThat(log.lost(2, reason)).isNull();
        now.addAndGet(9_999_999_999L);
        assertThat(log.lost(3, reason)).isNull();
        now.incrementAndGet();
        assertThat(log.lost(4, reason)).contains("9 since");
    }
}
