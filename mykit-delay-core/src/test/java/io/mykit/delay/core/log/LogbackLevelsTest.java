package io.mykit.delay.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.mykit.delay.controller.log.LogLevels.LoggerLevel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogbackLevelsTest {
    private static final String NAME = "io.mykit.delay.queue.dispatch";

    private final LoggerContext context = new LoggerContext();
    private final LogbackLevels levels =
            new LogbackLevels(context, InstantSource.fixed(Instant.ofEpochMilli(1_800_000_000_000L)));

    @BeforeEach
    void configure() {
        context.getLogger("io.mykit.delay").setLevel(Level.INFO);
        context.getLogger("com.alibaba.druid").setLevel(Level.OFF);
    }

    @AfterEach
    void close() {
        levels.close();
    }

    @Test
    void aChangeEndsByItself() {
        LoggerLevel changed = levels.change(NAME, "debug", Duration.ofMillis(50));
        assertThat(changed).isEqualTo(new LoggerLevel(NAME, "debug", Optional.of(1_800_000_000_050L)));
        await().until(() -> context.getLogger(NAME).getLevel() == null);
        assertThat(context.getLogger(NAME).isDebugEnabled()).isFalse();
    }

    @Test
    void aSecondChangeReplacesTheFirstAndKeepsTheFormerLevel() {
        levels.change(NAME, "trace", Duration.ofMillis(50));
        levels.change(NAME, "debug", Duration.ofHours(1));
        levels.change("io.mykit.delay", "error", Duration.ofHours(1));
        assertThat(levels.list())
                .extracting(LoggerLevel::logger, LoggerLevel::level)
                .containsExactly(tuple("io.mykit.delay", "error"), tuple(NAME, "debug"));
        assertThat(levels.reset(NAME)).isEqualTo(new LoggerLevel(NAME, "error", Optional.empty()));
        assertThat(levels.reset("io.mykit.delay").level()).isEqualTo("info");
        assertThat(context.getLogger(NAME).getLevel()).isNull();
    }

    @Test
    void aResetWithoutAChangeChangesNothing() {
        assertThat(levels.reset("io.mykit.delay").level()).isEqualTo("info");
    }
}
