package io.mykit.delay.queue.dispatch;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.delivery.ChannelRoute;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.store.NewMessage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From the offer of a ready list to the row of a delivered message. */
class DispatcherTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int BATCH = 2;
    private static final int BUCKETS = 4;

    private final InstantSource clock = () -> Instant.ofEpochMilli(1000);
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final ReadyLists lists = new ReadyLists();
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final DispatchMeters meters = new DispatchMeters(new SimpleMeterRegistry());
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime);
    private final OwnedBuckets buckets = new OwnedBuckets(lists.index(), term);
    private final TermIndex index = new TermIndex(lists.index(), buckets);
    private final OutcomeWriter writer =
            new OutcomeWriter(new OutcomeCommit(store, index, breaker, meters, DeadCopies.NONE));
    private final Backoff backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    private final Dispatcher dispatcher = new Dispatcher(
            term,
            index,
            new BatchDelivery(
                    term,
                    store,
                    index,
                    clock,
                    new Gate(store, breaker),
                    new Sending(clock, backoff, 3, meters),
                    writer,
                    LEASE),
            this::route,
            new DispatchSettings(BATCH, LEASE, 4),
            backoff,
            meters);

    /** The ids of each batch that the channel got. */
    private final BlockingQueue<List<String>> sent = new LinkedBlockingQueue<>();
    /** Fates of the next batches; none = delivered. */
    private final Queue<Delivery> fates = new ConcurrentLinkedQueue<>();

    private final CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void claim() {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            buckets.claim(bucket);
        }
    }

    @AfterEach
    void close() {
        release.countDown();
        term.revoke();
        dispatcher.close();
        writer.close();
    }

    @Test
    void deliversTheMessagesOfAnOfferedListInOneBatch() throws Exception {
        ready(0, "t", "a", "b");
        dispatcher.offer(0, "t");
        assertThat(nextBatch()).containsExactly("a", "b");
        close();
        assertThat(store.status("a")).isEqualTo(FINISH);
        assertThat(lists.taken()).isEmpty();
    }

    @Test
    void backlogIsWorkedBatchByBatchUntilItsListIsEmpty() throws Exception {
        ready(0, "t", "a", "b", "c", "d", "e");
        dispatcher.offer(0, "t");
        List<String> delivered = new ArrayList<>();
        while (delivered.size() < 5) {
            List<String> batch = nextBatch();
            assertThat(batch).hasSizeBetween(1, BATCH);
            delivered.addAll(batch);
        }
        assertThat(delivered).containsExactlyInAnyOrder("a", "b", "c", "d", "e");
    }

    @Test
    void handedMessagesAreTriedAgainAfterTheBackoffOfTheirTopic() throws Exception {
        fates.add(Delivery.unavailable("broker away"));
        ready(3, "t", "a");
        dispatcher.accept(3, lists.take(3, "t"), System.nanoTime());
        assertThat(nextBatch()).containsExactly("a");
        assertThat(nextBatch()).as("without an offer").containsExactly("a");
        close();
        assertThat(store.status("a")).isEqualTo(FINISH);
    }

    @Test
    void topicWhoseChannelCannotBeOpenedIsTriedAgain() throws Exception {
        ready(0, "unopened", "a");
        dispatcher.offer(0, "unopened");
        assertThat(nextBatch()).containsExactly("a");
    }

    @Test
    void topicThatIsStuckHoldsUpNoOther() throws Exception {
        ready(0, "stuck", "a");
        ready(0, "t", "b");
        dispatcher.offer(0, "stuck");
        assertThat(nextBatch()).containsExactly("a");
        dispatcher.offer(0, "t");
        assertThat(nextBatch()).containsExactly("b");
    }

    @Test
    void scansTakeNothingOfATopicThatHasEnough() throws Exception {
        ready(0, "stuck", "a");
        assertThat(dispatcher.handover().except()).isEmpty();
        dispatcher.offer(0, "stuck");
        nextBatch();
        assertThat(dispatcher.handover().except()).isEmpty();
        for (int bucket = 1; bucket <= 3; bucket++) {
            ready(bucket, "stuck", "b" + bucket, "c" + bucket);
            dispatcher.accept(bucket, lists.take(bucket, "stuck"), System.nanoTime());
        }
        assertThat(dispatcher.handover().except()).containsExactly("stuck");
    }

    @Test
    void nothingBeginsAfterTheTerm() {
        ready(0, "t", "a");
        term.revoke();
        dispatcher.offer(0, "t");
        dispatcher.close();
        assertThat(sent).isEmpty();
        assertThat(store.status("a")).isEqualTo(DELAY);
    }

    private List<String> nextBatch() throws InterruptedException {
        List<String> batch = sent.poll(10, TimeUnit.SECONDS);
        assertThat(batch).as("a batch within ten seconds").isNotNull();
        return batch;
    }

    private void ready(int bucket, String topic, String... ids) {
        List<DelayMessage> messages = new ArrayList<>();
        for (String id : ids) {
            DelayMessage message = new DelayMessage(id, topic, "", "", "body", 0, 0, 0, 0, 0);
            store.insert(List.of(new NewMessage(message, DELAY)));
            messages.add(message);
        }
        lists.add(bucket, topic, messages);
    }

    private boolean failedToOpen;

    private ChannelRoute route(String topic) {
        if (topic.equals("unopened") && !failedToOpen) {
            failedToOpen = true;
            throw new IllegalStateException("no such broker");
        }
        return new ChannelRoute(topic, (DeliveryChannel) Proxy.newProxyInstance(
                DeliveryChannel.class.getClassLoader(),
                new Class<?>[] {DeliveryChannel.class},
                (proxy, method, arguments) -> deliver(topic, (List<?>) arguments[1])));
    }

    private List<Delivery> deliver(String topic, List<?> messages) throws InterruptedException {
        Delivery fate = fates.poll();
        sent.add(messages.stream().map(message -> ((DelayMessage) message).id()).toList());
        if (topic.equals("stuck")) {
            release.await();
        }
        return Collections.nCopies(messages.size(), fate == null ? Delivery.DELIVERED : fate);
    }

    /** The ready lists of an index, and the messages that were taken from them. Thread-safe. */
    private static final class ReadyLists {
        private final Map<String, Deque<DelayMessage>> lists = new HashMap<>();
        private final Map<String, DelayMessage> taken = new HashMap<>();

        MessageIndex index() {
            return (MessageIndex) Proxy.newProxyInstance(
                    MessageIndex.class.getClassLoader(),
                    new Class<?>[] {MessageIndex.class},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "buckets" -> BUCKETS;
                        case "claim" -> owned((int) arguments[0]);
                        case "take" -> take((List<?>) arguments[0], (String) arguments[1], (int) arguments[2]);
                        default -> throw new UnsupportedOperationException(method.getName());
                    });
        }

        private OwnedBucket owned(int bucket) {
            return (OwnedBucket) Proxy.newProxyInstance(
                    OwnedBucket.class.getClassLoader(),
                    new Class<?>[] {OwnedBucket.class},
                    (proxy, method, arguments) -> call(bucket, method.getName(), arguments));
        }

        private synchronized Object call(int bucket, String method, Object[] arguments) {
            return switch (method) {
                case "bucket" -> bucket;
                case "found" -> ClaimResult.HELD;
                case "leased" -> Map.of();
                case "settle" -> settle((Collection<?>) arguments[0]);
                case "release" -> release(bucket, (String) arguments[0], (List<?>) arguments[1]);
                default -> throw new UnsupportedOperationException(method);
            };
        }

        private Object settle(Collection<?> ids) {
            ids.forEach(taken::remove);
            return null;
        }

        private Object release(int bucket, String topic, List<?> ids) {
            Deque<DelayMessage> list = list(bucket, topic);
            ids.forEach(id -> list.addFirst(taken.remove(id)));
            return null;
        }

        private synchronized List<Take> take(List<?> buckets, String topic, int limit) {
            List<Take> takes = new ArrayList<>();
            for (Object bucket : buckets) {
                takes.add(take(((OwnedBucket) bucket).bucket(), topic, limit));
            }
            return takes;
        }

        synchronized void add(int bucket, String topic, List<DelayMessage> messages) {
            list(bucket, topic).addAll(messages);
        }

        /** As a scanner takes messages at once. */
        synchronized List<DelayMessage> take(int bucket, String topic) {
            return take(bucket, topic, BATCH).messages();
        }

        synchronized List<String> taken() {
            return List.copyOf(taken.keySet());
        }

        private Take take(int bucket, String topic, int limit) {
            Deque<DelayMessage> list = list(bucket, topic);
            List<DelayMessage> messages = new ArrayList<>();
            while (messages.size() < limit && !list.isEmpty()) {
                messages.add(list.removeFirst());
            }
            messages.forEach(message -> taken.put(message.id(), message));
            return Take.of(bucket, messages, !list.isEmpty());
        }

        private Deque<DelayMessage> list(int bucket, String topic) {
            return lists.computeIfAbsent(bucket + ":" + topic, key -> new ArrayDeque<>());
        }
    }
}
