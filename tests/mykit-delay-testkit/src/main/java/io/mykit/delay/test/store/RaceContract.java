package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.DELETE;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.InsertResult.Kind;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Several threads at the same rows. */
interface RaceContract extends StoreUnderTest {
    @Test
    default void oneOfTwoWinsEachMove() throws Exception {
        List<NewMessage> batch = fresh("r", 300);
        store().insert(batch);

        List<Set<String>> lost = together(4, number -> {
            MessageStatus to = number % 2 == 0 ? READY : DELETE;
            List<Transition> moves = new ArrayList<>();
            batch.forEach(item -> moves.add(move(item.message().id(), DELAY, to)));
            // Each thread has another order.
            Collections.rotate(moves, number * 70);
            return store().move(moves);
        });

        for (NewMessage item : batch) {
            String id = item.message().id();
            assertThat(lost.stream().filter(ids -> !ids.contains(id))).hasSize(1);
            assertThat(store().flow(id)).hasSize(2);
        }
    }

    @Test
    default void overlappingInsertsEachGoInOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            String prefix = "o" + round + "-";
            List<List<InsertResult>> results = together(4, number -> {
                List<NewMessage> batch = new ArrayList<>(fresh(prefix, 100));
                Collections.rotate(batch, number * 25);
                batch.addAll(fresh(prefix + number + "-", 20));
                return store().insert(batch);
            });

            Stream<InsertResult> all = results.stream().flatMap(List::stream);
            assertThat(all.map(InsertResult::kind))
                    .hasSize(480)
                    .containsOnly(Kind.INSERTED, Kind.SAME)
                    .filteredOn(Kind.INSERTED::equals)
                    .hasSize(180);
        }
        assertThat(rows()).isEqualTo(900);
        assertThat(moves()).isEqualTo(900);
    }

    @Test
    default void noTwoTakeTheSameEpoch() throws Exception {
        List<List<Long>> taken = together(4, number -> LongStream.range(0, 25)
                .map(i -> store().nextEpoch("q", 1))
                .boxed()
                .toList());

        assertThat(taken.stream().flatMap(List::stream))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 100).boxed().toList());
    }

    @Test
    default void oneOfTwoQueuesGetsTheDatabase() throws Exception {
        for (int round = 0; round < 10; round++) {
            forgetQueues();
            List<String> refused = together(4, number -> {
                try {
                    store().claim(new QueueIdentity("queue-" + number % 2));
                    return "";
                } catch (ConfigException e) {
                    return e.getMessage();
                }
            });
            assertThat(refused)
                    .filteredOn(String::isEmpty)
                    .as("round %s: %s", round, refused)
                    .hasSize(2);
            assertThat(refused.get(0)).isEqualTo(refused.get(2));
            assertThat(refused.get(1)).isEqualTo(refused.get(3));
            assertThat(queues()).isEqualTo(1);
        }
    }

    /** Starts them at the same moment; their results in order. */
    private static <T> List<T> together(int threads, IntFunction<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                running.add(pool.submit(() -> {
                    barrier.await(10, TimeUnit.SECONDS);
                    return work.apply(number);
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get(60, TimeUnit.SECONDS));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }
}
