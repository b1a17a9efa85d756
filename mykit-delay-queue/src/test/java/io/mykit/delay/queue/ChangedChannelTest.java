package io.mykit.delay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.store.RowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operators give another channel to a topic while its messages are on their way. */
@Timeout(120)
class ChangedChannelTest {
    private static final String TOPIC = "t";

    private final DelayConfig config = ConfigLoader.load(
            Map.of("mykit.delay.delivery.default-channel", "one", "mykit.delay.delivery.retry-min", "20ms"));
    private final ClusterClock clock = new ClusterClock();
    /** The channel and the id of each delivery. */
    private final ConcurrentLinkedQueue<String> arrived = new ConcurrentLinkedQueue<>();

    private final CountDownLatch open = new CountDownLatch(1);
    private volatile boolean blocks;
    private volatile boolean sending;
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final MemoryMessageIndex index = new MemoryMessageIndex(new MemoryBuckets(4), clock);
    private DelayQueue queue = node();

    private DelayQueue node() {
        return DelayQueue.builder(config, store, index, clock)
                .channel("one", channel("one"))
                .channel("two", channel("two"))
                .build();
    }

    private DeliveryChannel channel(String name) {
        return DeliveryChannel.of(message -> {
            if (blocks && name.equals("one")) {
                sending = true;
                open.await();
            }
            arrived.add(name + " " + message.id());
            return Delivery.DELIVERED;
        });
    }

    @BeforeEach
    void start() {
        queue.start();
    }

    @AfterEach
    void close() {
        open.countDown();
        queue.close();
    }

    @Test
    void whatIsBeingSentEndsThereAndTheNextMessageTakesTheNewChannel() {
        blocks = true;
        push("old", 0);
        await().until(() -> sending);
        push("waits", 600_000);
        change("two");
        push("new", 0);
        awaitFinished("new");
        open.countDown();
        awaitFinished("old");
        assertThat(queue.producers().reschedule("waits", 0)).isPresent();
        awaitFinished("waits");
        assertThat(arrived).containsExactlyInAnyOrder("one old", "two new", "two waits");
    }

    @Test
    void aTopicThatIsPulledFromNowOnHasConsumersAndLaterAChannelAgain() throws Exception {
        assertThat(pull(Duration.ZERO).failure().code()).isEqualTo(ErrorCode.NOT_PULLABLE);
        push("later", 3_600_000);
        assertThat(refusal("later")).isEqualTo(ErrorCode.NOT_PULLABLE);
        assertThat(refusal("nobody")).isEqualTo(ErrorCode.NOT_FOUND);
        change("pull");
        push("a", 0);
        push("b", 0);
        push("c", 0);
        PulledMessage held = take();
        PulledMessage settled = take();
        assertThat(settle(settled)).isTrue();
        assertThat(arrived).isEmpty();

        CompletableFuture<PullAnswer> patient = new CompletableFuture<>();
        PulledMessage last = take();
        queue.consumers().pull(order(Duration.ofMinutes(1)), patient::complete);
        change("two");
        assertThat(patient.get(10, TimeUnit.SECONDS).messages())
                .as("consumers that wait go home")
                .isEmpty();
        push("d", 0);
        awaitFinished("d");
        assertThat(settle(held)).as("a consumer settles what it holds").isTrue();
        assertThat(arrived).containsExactly("two d");
        assertThat(settle(last)).isTrue();

        change("pull");
        push("e", 0);
        await().until(() -> status("e") == MessageStatus.READY);
        change(null);
        awaitFinished("e");
        assertThat(arrived).as("its ready list was not lost").containsExactly("two d", "one e");
    }

    @Test
    void aNodeThatStartsWithoutAPulledTopicSettlesWhatConsumersHold() {
        change("pull");
        push("a", 0);
        PulledMessage held = take();
        change("two");
        queue.close();
        queue = node();
        queue.start();
        assertThat(settle(held)).isTrue();
        assertThat(status("a")).isEqualTo(MessageStatus.FINISH);
        assertThat(arrived).isEmpty();
    }

    @Test
    void changesUnderLoadLoseNothingAndDoubleNothing() throws Exception {
        int count = 3000;
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> pushing = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < count; i++) {
                push("m" + i, i % 300);
            }
        });
        CompletableFuture<Void> consuming = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                PullAnswer answer = pull(Duration.ofMillis(50));
                if (answer.failure() == null) {
                    answer.messages().stream()
                            .filter(this::settle)
                            .forEach(message ->
                                    arrived.add("pull " + message.message().id()));
                }
            }
        });
        String[] names = {"two", "pull", "one", "pull", null};
        for (int i = 0; !pushing.isDone() || i < names.length; i++) {
            change(names[i % names.length]);
            int before = arrived.size();
            await().until(() -> arrived.size() > before || pushing.isDone());
        }
        change("two");
        pushing.get();
        await().atMost(Duration.ofMinutes(1)).until(() -> unfinished(count).isEmpty());
        over.set(true);
        consuming.get();
        List<String> ids = new ArrayList<>();
        arrived.forEach(each -> ids.add(each.substring(each.indexOf(' ') + 1)));
        assertThat(ids).doesNotHaveDuplicates().hasSize(count);
        assertThat(arrived.stream().map(each -> each.substring(0, each.indexOf(' '))))
                .contains("one", "two", "pull");
        assertThat(store.states(ids))
                .allSatisfy(row -> assertThat(row.attempts()).as(row.id()).isLessThanOrEqualTo(1));
    }

    private List<String> unfinished(int count) {
        List<String> all = IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
        return store.states(all).stream()
                .filter(row -> row.status() != MessageStatus.FINISH)
                .map(RowState::id)
                .toList();
    }

    private void push(String id, long delayMs) {
        NewPush push = new NewPush().id(id).topic(TOPIC).body("b").delay(delayMs);
        queue.producers()
                .push(queue.producers().rules().check(push, UnaryOperator.identity()), Via.PROGRAM)
                .join();
    }

    private ErrorCode refusal(String id) throws Exception {
        return queue.consumers()
                .settle(Verb.ACK, List.of(new Settlement(id, null, null, null, "")))
                .get()
                .get(0)
                .refusal()
                .orElseThrow()
                .code();
    }

    /** @param channel null = that of the configuration */
    private void change(String channel) {
        queue.operators().changeTopic(TOPIC, Map.of("channel", Optional.ofNullable(channel)));
    }

    private static PullOrder order(Duration wait) {
        return new PullOrder(List.of(TOPIC), 1, wait, null, false);
    }

    private PullAnswer pull(Duration wait) {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        queue.consumers().pull(order(wait), answer::complete);
        return answer.join();
    }

    private PulledMessage take() {
        List<PulledMessage> messages = pull(Duration.ofSeconds(10)).messages();
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    private boolean settle(PulledMessage message) {
        return queue.consumers()
                .settle(Verb.ACK, List.of(new Settlement(message.message().id(), message.receipt(), null, null, "")))
                .join()
                .get(0)
                .refusal()
                .isEmpty();
    }

    private void awaitFinished(String id) {
        await().atMost(Duration.ofSeconds(30)).until(() -> status(id) == MessageStatus.FINISH);
    }

    private MessageStatus status(String id) {
        return queue.producers().find(id).orElseThrow().status();
    }
}
