package io.mykit.delay.test.bench.line;

import io.mykit.delay.test.bench.rig.Broker;
import io.mykit.delay.test.bench.rig.PacedProducers;
import io.mykit.delay.test.bench.rig.RawIndex;
import io.mykit.delay.test.bench.rig.RawRows;
import io.mykit.delay.test.bench.rig.Sink;
import io.mykit.delay.test.bench.rig.Tally;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The raw ceiling of a burst: a message of the broker alone, while the rows, moves and sends of a burst take all cores. One thread makes
 * the rows, another one the moves and sends, both as fast as they can. The message has one hop, from its send to its arrival; a delayed
 * one has several.
 */
final class RawBurst {
    private static final int ROWS = 200;
    private static final int PRODUCERS = 4;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private RawBurst() {}

    /** @return the times from send to arrival of so many messages a second on the other topic */
    static Tally beside(Bout bout, Broker broker, String topic, String other, Sink trickle, int perSecond)
            throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> rows = CompletableFuture.runAsync(() -> rows(bout, over));
        CompletableFuture<Void> sends = CompletableFuture.runAsync(() -> movesAndSends(bout, broker, topic, over));
        try (PacedProducers producers = new PacedProducers(broker, other, PRODUCERS)) {
            Tally warm = trickle.restart();
            warm.await(producers.pace(perSecond, WARM_UP, LatenessLine::now), PATIENCE);
            Tally tally = trickle.restart();
            tally.await(producers.pace(perSecond, TIME, LatenessLine::now), PATIENCE);
            return tally;
        } finally {
            over.set(true);
            CompletableFuture.allOf(rows, sends).join();
        }
    }

    private static void rows(Bout bout, AtomicBoolean over) {
        try (RawRows rows = new RawRows(bout.rig().databaseServer(), bout.rig().database())) {
            while (!over.get()) {
                rows.finish(rows.insert(ROWS));
            }
        }
    }

    private static void movesAndSends(Bout bout, Broker broker, String topic, AtomicBoolean over) {
        try (RawIndex index = new RawIndex(bout.rig().redis());
                Broker.Producer producer = broker.producer(topic)) {
            while (!over.get()) {
                index.deliver(index.add(ROWS));
                List<Long> now = Collections.nCopies(ROWS / 2, Tally.nowMicros());
                producer.send(now);
                producer.send(now);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
