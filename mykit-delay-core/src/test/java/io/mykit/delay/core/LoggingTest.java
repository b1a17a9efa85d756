package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {
    @Test
    void thePoolThatPrintsJdbcUrlsIsSilent() {
        assertThat(LoggerFactory.getLogger("com.alibaba.druid.pool.DruidPooledStatement")
                        .isErrorEnabled())
                .isFalse();
        assertThat(LoggerFactory.getLogger("io.mykit.delay.queue.store").isInfoEnabled())
                .isTrue();
    }
}
