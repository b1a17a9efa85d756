package io.mykit.delay.queue.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import io.mykit.delay.queue.store.TopicPause;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopicTroubleTest {
    private static final long MINUTE_MS = 60_000;
    private static final Optional<FailingTopics.Topic> BACKS_OFF =
            Optional.of(new FailingTopics.Topic("t", 1, 2, "no route to the broker"));
    private static final Optional<TopicDifferences.Difference> DIFFERS =
            Optional.of(new TopicDifferences.Difference("t", "b:6355", ChannelNames.PULL, "activemq"));
    private static final Optional<TopicPause> PAUSE = Optional.of(new TopicPause("t", TopicPause.UNTIL_RESUMED));

    @Test
    void aTopicThatDeliversInTimeHasNone() {
        assertThat(row("a", "activemq", MINUTE_MS - 1, 0).trouble()).isEmpty();
    }

    @Test
    void dueMessagesThatNoConsumerTakesAreNamed() {
        assertThat(row("a", ChannelNames.PULL, MINUTE_MS, 0).trouble()).contains(TopicTrouble.NO_CONSUMER);
        assertThat(row("a", ChannelNames.PULL, MINUTE_MS, 1).trouble()).contains(TopicTrouble.LATE);
        assertThat(row("a", "activemq", MINUTE_MS, 0).trouble()).contains(TopicTrouble.LATE);
    }

    /** A paused topic is not tried, so what it was before the pause does not matter. */
    @Test
    void aPauseHidesABackOff() {
        assertThat(row("a", 0, Optional.empty(), BACKS_OFF).trouble()).contains(TopicTrouble.BACKS_OFF);
        assertThat(row("a", 0, PAUSE, BACKS_OFF).trouble()).contains(TopicTrouble.PAUSED);
    }

    @Test
    void theWorstIsFirstAndTheNameDecidesLast() {
        List<TopicRow> sorted = Stream.of(
                        row("runs-2", "activemq", 0, 0),
                        row("runs-1", "activemq", 0, 0),
                        row("paused", 9 * MINUTE_MS, PAUSE, Optional.empty()),
                        row("late", "activemq", 2 * MINUTE_MS, 0),
                        row("later", "activemq", 3 * MINUTE_MS, 0),
                        row("unread", ChannelNames.PULL, MINUTE_MS, 0),
                        row("away", 0, Optional.empty(), BACKS_OFF),
                        differing("torn"))
                .sorted(TopicSort.TROUBLE.order())
                .toList();
        assertThat(sorted)
                .extracting(TopicRow::topic)
                .containsExactly("torn", "away", "unread", "later", "late", "paused", "runs-1", "runs-2");
    }

    private static TopicRow row(String topic, String channel, long overdueMs, long held) {
        return new TopicRow(
                channel, count(topic, held), 0, overdueMs, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static TopicRow row(
            String topic, long overdueMs, Optional<TopicPause> pause, Optional<FailingTopics.Topic> backsOff) {
        return new TopicRow("activemq", count(topic, 0), 0, overdueMs, pause, Optional.empty(), backsOff);
    }

    /** Another node would deliver it elsewhere. */
    private static TopicRow differing(String topic) {
        return new TopicRow("activemq", count(topic, 0), 0, 0, Optional.empty(), DIFFERS, Optional.empty());
    }

    private static TopicCount count(String topic, long held) {
        return new TopicCount(topic, 0, 0, held, 0, OptionalLong.empty());
    }
}
