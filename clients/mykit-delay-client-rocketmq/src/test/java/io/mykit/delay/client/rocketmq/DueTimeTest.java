package io.mykit.delay.client.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DueTimeTest {
    private static final Instant NOW = Instant.ofEpochMilli(1_800_000_000_000L);

    @Test
    void theMarksAreReadInTheOrderOfABroker() throws MQClientException {
        assertThat(due(m -> {})).isEmpty();
        assertThat(due(m -> m.setDelayTimeLevel(3))).contains(after(10_000));
        assertThat(due(m -> m.setDelayTimeLevel(19))).contains(after(7_200_000));
        assertThat(due(m -> m.setDelayTimeSec(7))).contains(after(7000));
        assertThat(due(m -> m.setDelayTimeMs(7))).contains(after(7));
        assertThat(due(m -> m.setDeliverTimeMs(NOW.toEpochMilli() + 1)))
                .contains(new DueTime(null, NOW.plusMillis(1), true));
        assertThat(due(m -> m.putUserProperty("__STARTDELIVERTIME", Long.toString(NOW.toEpochMilli() + 1))))
                .contains(new DueTime(null, NOW.plusMillis(1), false));
        assertThat(due(m -> {
                    m.setDeliverTimeMs(NOW.toEpochMilli() + 1);
                    m.setDelayTimeMs(7);
                    m.setDelayTimeSec(8);
                }))
                .contains(after(8000));
        assertThat(due(m -> {
                    m.setDelayTimeSec(8);
                    m.setDelayTimeLevel(1);
                }))
                .contains(after(1000));
    }

    @Test
    void whatABrokerWouldDeliverAtOnceIsNotDelayed() throws MQClientException {
        assertThat(due(m -> m.setDelayTimeLevel(0))).isEmpty();
        assertThat(due(m -> m.setDelayTimeLevel(-1))).isEmpty();
        assertThat(due(m -> m.setDelayTimeMs(0))).isEmpty();
        assertThat(due(m -> m.setDelayTimeSec(-5))).isEmpty();
        assertThat(due(m -> m.setDeliverTimeMs(NOW.toEpochMilli()))).isEmpty();
        assertThat(due(m -> {
                    m.setDelayTimeSec(0);
                    m.setDelayTimeMs(7);
                }))
                .as("a broker looks at the first alone")
                .isEmpty();
    }

    @Test
    void aShortDelayIsBelow() {
        assertThat(after(4999).isBelow(Duration.ofSeconds(5), NOW)).isTrue();
        assertThat(after(5000).isBelow(Duration.ofSeconds(5), NOW)).isFalse();
        assertThat(new DueTime(null, NOW.plusMillis(4999), true).isBelow(Duration.ofSeconds(5), NOW))
                .isTrue();
        assertThat(new DueTime(null, NOW.plusMillis(1), false).isBelow(Duration.ofSeconds(5), NOW))
                .as("an Apache broker would deliver it at once")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "TIMER_DELAY_MS, soon, is no number",
        "TIMER_DELAY_SEC, 1.5, is no number",
        "DELAY, '', is no number",
        "TIMER_DELIVER_MS, 9223372036854775807, is later than the year 9999"
    })
    void aMalformedMarkIsNamed(String name, String value, String why) {
        assertThatThrownBy(() -> due(m -> MessageAccessor.putProperty(m, name, value)))
                .isInstanceOf(MQClientException.class)
                .hasMessageContaining("the property " + name + " " + why);
    }

    @Test
    void levelsAreReadAsABrokerReadsThem() {
        DelayLevels levels = DelayLevels.parse(" 1s  2m 3h 4d ");
        assertThat(levels.delays())
                .containsExactly(Duration.ofSeconds(1), Duration.ofMinutes(2), Duration.ofHours(3), Duration.ofDays(4));
        assertThat(DelayLevels.DEFAULT.delays()).hasSize(18);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1", "s", "1w", "1s,5s", "-"})
    void malformedLevelsAreRefused(String text) {
        assertThatThrownBy(() -> DelayLevels.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("messageDelayLevel");
    }

    private static DueTime after(long delayMs) {
        return new DueTime(Duration.ofMillis(delayMs), null, true);
    }

    private static Optional<DueTime> due(Consumer<Message> change) throws MQClientException {
        Message message = new Message("t", new byte[] {1});
        change.accept(message);
        return DueTime.of(message, DelayLevels.DEFAULT, NOW);
    }
}
