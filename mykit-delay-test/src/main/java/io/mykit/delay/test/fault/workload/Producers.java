package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.rig.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that push single messages, batches, and the same message twice at once, ask after messages, and cancel around
 * the due time. Thread-safe.
 */
public final class Producers implements AutoCloseable {
    private static final int LARGEST_BATCH = 20;

    private final Ledger ledger = new Ledger();
    private final Caller caller;
    private final Mix mix;
    private final ScheduledExecutorService threads;
    private final AtomicInteger count = new AtomicInteger();
    private volatile boolean closing;

    /** Begins at once. */
    public Producers(List<Node> nodes, Mix mix, long seed) {
        this.mix = mix;
        this.caller = new Caller(nodes, ledger, System::currentTimeMillis);
        // As many again for what is done later: cancels and second pushes.
        this.threads = Executors.newScheduledThreadPool(2 * mix.producers(), task -> {
            Thread thread = new Thread(task, "producer-" + count.get());
            thread.setDaemon(true);
            return thread;
        });
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < mix.producers(); i++) {
            SplittableRandom random = seeds.split();
            threads.execute(() -> produce(random));
        }
    }

    /** What they were told so far, by id. */
    public Map<String, Pushed> pushed() {
        return ledger.pushed();
    }

    /** Answers that the contract does not know. */
    public List<String> surprises() {
        return ledger.surprises();
    }

    /** Begins nothing new, and waits for the answers to what was begun. */
    @Override
    public void close() {
        closing = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException("producers do not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void produce(SplittableRandom random) {
        long gapMicros = 2_000_000L * mix.producers() / mix.perSecond();
        try {
            while (!closing) {
                step(random);
                TimeUnit.MICROSECONDS.sleep(random.nextLong(gapMicros));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            ledger.surprised("a producer died of " + e);
        }
    }

    private void step(SplittableRandom random) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 10) {
            List<Order> batch = new ArrayList<>();
            for (int i = random.nextInt(2, LARGEST_BATCH); i > 0; i--) {
                batch.add(order(random));
            }
            caller.pushBatch(batch);
            return;
        }
        Order order = order(random);
        if (dice < 18) {
            later(0, () -> caller.repeat(order));
        }
        if (dice >= 18 && dice < 45) {
            // Some before their message is there, most in the middle, many in the milliseconds around the due time.
            long around = order.delayMs() + random.nextLong(-60, 60);
            later(
                    random.nextBoolean() ? around : random.nextLong(order.delayMs() + 1),
                    () -> caller.cancel(order.id()));
        }
        caller.push(order);
        if (dice >= 90) {
            caller.query(order.id());
        }
    }

    private Order order(SplittableRandom random) {
        int number = count.getAndIncrement();
        boolean sleeps = random.nextInt(50) == 0;
        return new Order(
                "m" + number,
                Mix.TOPICS.get(random.nextInt(Mix.TOPICS.size())),
                sleeps ? Pushed.SLEEP_MS : random.nextLong(mix.maxDelayMs() + 1));
    }

    private void later(long delayMs, Call call) {
        if (delayMs > mix.maxDelayMs() + 1000) {
            return;
        }
        Runnable task = () -> {
            try {
                call.make();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                ledger.surprised("a caller died of " + e);
            }
        };
        try {
            // It takes care of its failures itself.
            Future<?> unused = threads.schedule(task, Math.max(0, delayMs), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The end has come; what was not begun is not missed.
        }
    }

    private interface Call {
        void make() throws InterruptedException;
    }
}
