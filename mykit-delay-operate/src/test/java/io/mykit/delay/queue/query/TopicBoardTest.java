package io.mykit.delay.queue.query;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.ChannelNames;
import io.mykit.delay.queue.dispatch.BackingOff;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.topic.DifferingTopics;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TopicBoardTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final TopicPauses pauses =
            new TopicPauses(queue.store().topics(), queue.index(), queue.clock(), List.of(), new SimpleMeterRegistry());
    private final DifferingTopics differing = new DifferingTopics(Map.of(), "rocketmq", true);
    private final AtomicBoolean leads = new AtomicBoolean(true);
    private final AtomicLong nanos = new AtomicLong();
    private final TopicBoard board = new TopicBoard(
            queue.index().holds(),
            queue.store(),
            pauses,
            differing,
            topic -> topic.startsWith("pulled") ? ChannelNames.PULL : "channel of " + topic,
            new BackingOff(),
            leads::get,
            queue.clock(),
            nanos::get);

    @Test
    void eachOrderIsPaged() {
        push("1", "b", 5000);
        push("2", "a", 9000);
        push("3", "a", 9000);
        push("4", "c", 1000);
        die("5", "c");
        die("6", "d");
        queue.pass(Duration.ofSeconds(3));
        assertThat(all(TopicSort.NAME)).containsExactly("a", "b", "c", "d");
        assertThat(all(TopicSort.WAITING)).containsExactly("a", "b", "c", "d");
        assertThat(all(TopicSort.OVERDUE)).containsExactly("c", "a", "b", "d");
        assertThat(all(TopicSort.DEAD)).containsExactly("c", "d", "a", "b");
        TopicList first = board.list(new TopicListOrder("", false, TopicSort.OVERDUE, "", 1));
        assertThat(first.rows().get(0).oldestOverdueMs()).isEqualTo(2000);
        assertThat(first.rows().get(0).channel()).isEqualTo("channel of c");
        assertThat(first.rows().get(0).dead()).isEqualTo(1);
        assertThat(first.total()).isEqualTo(4);
        assertThat(first.complete()).isTrue();
        assertThat(board.list(new TopicListOrder("a", false, TopicSort.NAME, "", 9))
                        .rows())
                .hasSize(1);
    }

    @Test
    void theWorstTroubleComesFirst() {
        push("1", "late", 1000);
        push("2", "runs", 600_000);
        push("3", "pulled", 32_000);
        push("4", "quiet", 1000);
        pauses.pause("quiet", Optional.empty());
        queue.pass(Duration.ofSeconds(60));
        // An overdue of less than a minute is no trouble: a change of the leader takes seconds.
        assertThat(troubled()).containsExactly("quiet");
        queue.pass(Duration.ofSeconds(33));
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(troubled()).containsExactly("pulled", "late", "quiet");
        TopicList all = board.list(new TopicListOrder("", false, TopicSort.TROUBLE, "", 9));
        assertThat(all.rows()).extracting(TopicRow::topic).containsExactly("pulled", "late", "quiet", "runs");
        assertThat(all.total()).isEqualTo(4);
        assertThat(all.troubled()).isEqualTo(3);
        TopicList second = board.list(new TopicListOrder("", true, TopicSort.TROUBLE, "pulled", 1));
        assertThat(second.rows()).extracting(TopicRow::topic).containsExactly("late");
        assertThat(second.total()).isEqualTo(3);
        assertThat(second.last()).isFalse();
        assertThat(board.list(new TopicListOrder("qu", true, TopicSort.NAME, "", 9))
                        .troubled())
                .isEqualTo(1);
    }

    private List<String> troubled() {
        return board.list(new TopicListOrder("", true, TopicSort.TROUBLE, "", 9)).rows().stream()
                .map(TopicRow::topic)
                .toList();
    }

    @Test
    void pausedTopicsAreListed() {
        pauses.pause("quiet", Optional.empty());
        TopicRow row = board.list(new TopicListOrder("", false, TopicSort.NAME, "", 9))
                .rows()
                .get(0);
        assertThat(row.topic()).isEqualTo("quiet");
        assertThat(row.pause()).isPresent();
    }

    /** Any number of people share one look. */
    @Test
    void theNumbersAreReadAgainAfterTenSeconds() {
        push("1", "a", 5000);
        assertThat(all(TopicSort.NAME)).containsExactly("a");
        push("2", "b", 5000);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(9));
        assertThat(all(TopicSort.NAME)).containsExactly("a");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(all(TopicSort.NAME)).containsExactly("a", "b");
    }

    @Test
    void onlyTheLeaderKnowsWhetherATopicRuns() {
        assertThat(board.state("t")).isEqualTo(new TopicState(true, Optional.empty(), Optional.empty()));
        leads.set(false);
        assertThat(board.state("t")).isEqualTo(new TopicState(false, Optional.empty(), Optional.empty()));
        assertThat(board.list(new TopicListOrder("", false, TopicSort.NAME, "", 9))
                        .leads())
                .isFalse();
    }

    @Test
    void aTopicWaitsAtTheLeaderWhileAnotherNodeDeliversItElsewhere() {
        push("1", "newt", 5000);
        differing.see(Map.of("b:6355", Map.of("newt", "pull")));
        assertThat(board.state("newt").differs().orElseThrow().reason())
                .isEqualTo("node b:6355 delivers it by pull, this node by rocketmq");
        assertThat(board.list(new TopicListOrder("", false, TopicSort.NAME, "", 9))
                        .rows()
                        .get(0)
                        .differs())
                .isPresent();
        leads.set(false);
        assertThat(board.state("newt").differs()).isEmpty();
    }

    private List<String> all(TopicSort sort) {
        List<String> names = new ArrayList<>();
        String after = "";
        TopicList page;
        do {
            page = board.list(new TopicListOrder("", false, sort, after, 2));
            page.rows().forEach(row -> names.add(row.topic()));
            after = names.isEmpty() ? "" : names.get(names.size() - 1);
        } while (!page.last());
        return names;
    }

    private void push(String id, String topic, long delayMs) {
        long now = queue.clock().millis();
        DelayMessage message = MessageBuilder.withId(id)
                .topic(topic)
                .created(now)
                .delay(delayMs)
                .build();
        queue.store().insert(List.of(new NewMessage(message, DELAY)));
        queue.index().schedule(List.of(message));
    }

    private void die(String id, String topic) {
        long now = queue.clock().millis();
        queue.store()
                .insert(List.of(new NewMessage(
                        MessageBuilder.withId(id).topic(topic).created(now).build(), DELAY)));
        List<Transition.Step> steps =
                List.of(new Transition.Step(READY, now), new Transition.Step(FAILED, now, "", DeadReason.ATTEMPTS));
        queue.store().move(List.of(new Transition(id, 0, DELAY, steps, "tester", 1)));
    }
}
