package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.bench.figure.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Several producers of one broker, each with a thread of its own, that share the work. Used by one thread. */
public final class PacedProducers implements AutoCloseable {
    private static final long PATIENCE_MINUTES = 5;

    private final List<Broker.Producer> producers = new ArrayList<>();
    private final ExecutorService threads;

    public PacedProducers(Broker broker, String topic, int count) throws Exception {
        threads = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            producers.add(broker.producer(topic));
        }
    }

    /** How one message is sent. */
    public interface Send {
        void send(Broker.Producer producer) throws Exception;
    }

    /** So many a second, if they can; returns how many were sent. */
    public long pace(double perSecond, Duration time, Send send) throws Exception {
        Pace pace = new Pace(System.nanoTime(), perSecond);
        return send(
                Math.max(1, Math.round(perSecond * time.toMillis() / 1000.0)),
                number -> {
                    TimeUnit.NANOSECONDS.sleep(pace.intendedNanos(number) - System.nanoTime());
                },
                send);
    }

    /** So many, as fast as it goes. */
    public long send(long count, Send send) throws Exception {
        return send(count, number -> {}, send);
    }

    private long send(long count, Wait before, Send send) throws Exception {
        AtomicLong next = new AtomicLong();
        return all(producer -> {
            long sent = 0;
            for (long n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                before.forTurn(n);
                send.send(producer);
                sent++;
            }
            return sent;
        });
    }

    /** As fast as it goes for this long; returns how many were sent. */
    public long saturate(Duration time, Send send) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        return all(producer -> {
            long sent = 0;
            while (System.nanoTime() < end) {
                send.send(producer);
                sent++;
            }
            return sent;
        });
    }

    private long all(Work work) throws Exception {
        List<Future<Long>> running = new ArrayList<>();
        for (Broker.Producer producer : producers) {
            running.add(threads.submit(() -> work.with(producer)));
        }
        long sent = 0;
        for (Future<Long> one : running) {
            try {
                sent += one.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a producer failed", e.getCause());
            }
        }
        return sent;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        producers.forEach(Broker.Producer::close);
    }

    private interface Wait {
        void forTurn(long number) throws InterruptedException;
    }

    private interface Work {
        long with(Broker.Producer producer) throws Exception;
    }
}
