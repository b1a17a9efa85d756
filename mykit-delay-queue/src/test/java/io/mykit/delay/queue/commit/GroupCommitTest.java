package io.mykit.delay.queue.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.LoopRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private static final int ENOUGH = GroupCommit.ENOUGH;
    private static final GroupLimits TWO_LANES = new GroupLimits(10_000, 512, 2, Duration.ofMillis(1));

    private final Recorder recorder = new Recorder();
    private GroupCommit<Item> group;

    @AfterEach
    void close() {
        recorder.goOn();
        group.close();
    }

    @Test
    void aSecondBatchBeginsWhenEnoughItemsWait() {
        open(TWO_LANES);
        recorder.hold();
        submit(item("first", 0));
        recorder.awaitBatches(1);
        for (int i = 0; i < ENOUGH; i++) {
            assertThat(recorder.batches).as("fewer items are not worth a batch").hasSize(1);
            submit(item("other-" + i, i));
        }
        recorder.awaitBatches(2);
        assertThat(recorder.batches.get(1)).hasSize(ENOUGH);
    }

    /** Otherwise many small batches would cost more than the second lane gains. */
    @Test
    void aSecondBatchBeginsWhenAsManyItemsWaitAsTheFirstHas() {
        group = group(TWO_LANES);
        recorder.hold();
        int many = 2 * ENOUGH - 1;
        IntStream.range(0, many).forEach(i -> submit(item("first-" + i, i)));
        group.start();
        recorder.awaitBatches(1);
        for (int i = 0; i < many; i++) {
            assertThat(recorder.batches).hasSize(1);
            submit(item("other-" + i, i));
        }
        recorder.awaitBatches(2);
        assertThat(recorder.batches).extracting(List::size).containsExactly(many, many);
    }

    /** The close finds no item, and the item finds the group open. */
    @Test
    void anItemThatComesDuringTheCloseIsRefused() {
        group = new GroupCommit<>(
                "group",
                TWO_LANES,
                item -> item.key,
                "full",
                recorder,
                new SimpleMeterRegistry().timer("batches"),
                new ArrayBlockingQueue<>(10) {
                    @Override
                    public boolean offer(Item item) {
                        group.close();
                        return super.offer(item);
                    }
                });
        group.start();
        Item item = item("late", 0);
        submit(item);
        assertThat(recorder.refused).containsExactly(item);
    }

    /** The queue of this group waits for an item for ever. */
    @Test
    void aCloseWakesALaneThatWaitsForAnItem() {
        CountDownLatch waits = new CountDownLatch(1);
        group = new GroupCommit<>(
                "group",
                new GroupLimits(10, 10, 1, Duration.ZERO),
                item -> item.key,
                "full",
                recorder,
                new SimpleMeterRegistry().timer("batches"),
                new ArrayBlockingQueue<>(10) {
                    @Override
                    public Item poll(long timeout, TimeUnit unit) throws InterruptedException {
                        waits.countDown();
                        return take();
                    }
                });
        group.start();
        await().until(() -> waits.getCount() == 0);
        group.close();
        LoopRunner loop = group.loops().get(0);
        await().until(() -> !loop.isAlive());
        assertThat(loop.allFailures())
                .as("rounds that the runner had to break off")
                .isZero();
    }

    @Test
    void anItemThatComesWithTheCloseIsWrittenWithoutAnInterrupt() {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch written = new CountDownLatch(1);
        BatchWriter<Item> writer = new BatchWriter<>() {
            @Override
            public void commit(List<Item> batch) {
                interrupted.set(Thread.currentThread().isInterrupted());
                written.countDown();
            }

            @Override
            public void fail(Item item, Throwable why) {}
        };
        group = new GroupCommit<>(
                "group",
                new GroupLimits(10, 10, 1, Duration.ZERO),
                item -> item.key,
                "full",
                writer,
                new SimpleMeterRegistry().timer("batches"),
                new ArrayBlockingQueue<>(10) {
                    @Override
                    public Item poll(long timeout, TimeUnit unit) throws InterruptedException {
                        Item first = super.poll(timeout, unit);
                        if (first != null) {
                            new Thread(group::close).start();
                            awaitInterrupt();
                        }
                        return first;
                    }
                });
        submit(item("last", 0));
        group.start();
        await().until(() -> written.getCount() == 0);
        assertThat(interrupted).isFalse();
    }

    private static void awaitInterrupt() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void oneLaneWritesOneBatchAtATime() {
        open(GroupLimits.plain(10_000, 512));
        recorder.hold();
        submit(item("first", 0));
        recorder.awaitBatches(1);
        IntStream.range(0, 100).forEach(i -> submit(item("other-" + i, i)));
        assertThat(group.waiting()).isEqualTo(100);
        recorder.goOn();
        recorder.awaitWritten(101);
        assertThat(recorder.most).hasValue(1);
    }

    @Test
    void manyItemsAreSharedByTheLanes() {
        group = group(TWO_LANES);
        recorder.hold();
        IntStream.range(0, 100).forEach(i -> submit(item("k" + i, i)));
        group.start();
        recorder.awaitBatches(2);
        assertThat(recorder.batches).extracting(List::size).containsExactly(50, 50);
    }

    @Test
    void anItemWaitsWhileItsKeyIsBeingWritten() {
        open(TWO_LANES);
        recorder.hold();
        submit(item("a", 0));
        recorder.awaitBatches(1);
        IntStream.range(0, 10).forEach(i -> submit(item("before-" + i, i)));
        submit(item("a", 1));
        IntStream.range(0, 10).forEach(i -> submit(item("behind-" + i, i)));
        recorder.awaitBatches(2);
        assertThat(recorder.batches.get(1)).hasSize(10).allMatch(item -> item.key.startsWith("before"));
        recorder.goOn();
        recorder.awaitWritten(22);
    }

    /** The first item of a batch cannot be left to the next batch. */
    @Test
    void aBatchWaitsWhileTheKeyOfItsFirstItemIsBeingWritten() {
        open(TWO_LANES);
        recorder.hold();
        submit(item("a", 0));
        recorder.awaitBatches(1);
        IntStream.range(0, 2 * ENOUGH).forEach(i -> submit(item("a", i + 1)));
        await().until(() -> group.waiting() < 2 * ENOUGH);
        assertThat(recorder.batches).hasSize(1);
        recorder.goOn();
        recorder.awaitWritten(2 * ENOUGH + 1);
    }

    @Test
    void writesEachItemOnceAndTheItemsOfAKeyInOrder() throws Exception {
        open(new GroupLimits(100_000, 40, 3, Duration.ofMillis(1)));
        int threads = 4;
        int each = 5_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            String prefix = "t" + t + "-";
            Thread submitter = new Thread(() -> {
                IntStream.range(0, each).forEach(i -> submit(item(prefix + i % 7, i)));
                done.countDown();
            });
            submitter.setDaemon(true);
            submitter.start();
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        recorder.awaitWritten(threads * each);
        assertThat(recorder.overlaps).isEmpty();
        Map<String, Integer> last = new HashMap<>();
        List<Item> all = recorder.written.stream().toList();
        assertThat(all).hasSize(threads * each);
        all.forEach(item -> assertThat(item.number)
                .as(item.key)
                .isEqualTo(last.merge(item.key, item.number % 7, (before, first) -> before + 7)));
    }

    @Test
    void aDefectLeavesTheOtherItemsToTheOtherLane() {
        open(TWO_LANES);
        recorder.hold();
        recorder.failNext();
        submit(item("first", 0));
        recorder.awaitBatches(1);
        submit(item("second", 0));
        recorder.goOn();
        recorder.awaitWritten(1);
        assertThat(recorder.written).extracting(Item::key).containsExactly("second");
        submit(item("third", 0));
        recorder.awaitWritten(2);
    }

    @Test
    void refusesItemsBeyondTheLimit() {
        group = group(GroupLimits.plain(1, 512));
        submit(item("a", 0));
        submit(item("b", 0));
        assertThat(recorder.refused).extracting(Item::key).containsExactly("b");
    }

    @Test
    void refusesItemsAfterItsEnd() {
        open(TWO_LANES);
        group.close();
        submit(item("a", 0));
        assertThat(recorder.refused).extracting(Item::key).containsExactly("a");
    }

    private void open(GroupLimits limits) {
        group = group(limits);
        group.start();
    }

    private GroupCommit<Item> group(GroupLimits limits) {
        return new GroupCommit<>(
                "test", limits, Item::key, "full", recorder, new SimpleMeterRegistry().timer("batches"));
    }

    private void submit(Item item) {
        group.submit(item);
    }

    private static Item item(String key, int number) {
        return new Item(key, number);
    }

    private record Item(String key, int number) {}

    /** Notes batches at their begin, and items at their end. */
    private static final class Recorder implements BatchWriter<Item> {
        private final List<List<Item>> batches = Collections.synchronizedList(new ArrayList<>());
        private final Queue<Item> written = new ConcurrentLinkedQueue<>();
        private final Queue<Item> refused = new ConcurrentLinkedQueue<>();
        private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();
        private final Map<String, List<Item>> writing = new ConcurrentHashMap<>();
        private final Set<List<Item>> now = ConcurrentHashMap.newKeySet();
        private final AtomicInteger most = new AtomicInteger();
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile boolean failing;

        void hold() {
            gate = new CountDownLatch(1);
        }

        void goOn() {
            gate.countDown();
        }

        void failNext() {
            failing = true;
        }

        void awaitBatches(int number) {
            await().until(() -> batches.size() == number);
        }

        void awaitWritten(int number) {
            await().atMost(Duration.ofSeconds(30)).until(() -> written.size() == number);
        }

        @Override
        public void commit(List<Item> batch) {
            List<Item> copy = List.copyOf(batch);
            now.add(copy);
            most.accumulateAndGet(now.size(), Math::max);
            copy.forEach(item -> {
                List<Item> other = writing.putIfAbsent(item.key, copy);
                if (other != null && other != copy) {
                    overlaps.add(item.key);
                }
            });
            boolean fails = failing;
            failing = false;
            batches.add(copy);
            pass();
            copy.forEach(item -> writing.remove(item.key, copy));
            now.remove(copy);
            if (fails) {
                throw new DelayException(ErrorCode.INTERNAL, "a defect of the test");
            }
            written.addAll(copy);
        }

        @Override
        public void fail(Item item, Throwable why) {
            refused.add(item);
        }

        private void pass() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
