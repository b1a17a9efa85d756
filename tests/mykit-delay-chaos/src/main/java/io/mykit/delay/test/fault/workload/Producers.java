package io.mykit.delay.test.fault.workload;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Shown;
import io.mykit.delay.test.fault.rig.Rig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Threads that push single messages, batches, and the same message twice at once, replace and cancel them at all times,
 * ask after them; and an operator. Thread-safe.
 */
public final class Producers implements AutoCloseable {
    private static final int LARGEST_BATCH = 20;
    private static final long OPERATOR_GAP_MS = 1_000;
    private static final int REQUESTS_PER_CALLBACK = 10;
    private static final int REQUESTS_PER_PULLED = 4;
    private static final long TEAM_GAP_MS = 150;

    private final Ledger ledger = new Ledger();
    private final Caller caller;
    private final Mix mix;
    private final ScheduledExecutorService threads;
    private final Orders orders;
    private final CallbackOrders callbacks;
    private final Operator operator;
    private final Optional<Teams> teams;
    private volatile boolean closing;

    /** Begins at once. */
    public Producers(Rig rig, Mix mix, long seed) {
        this.mix = mix;
        this.caller = new Caller(rig.nodes(), ledger, System::currentTimeMillis);
        this.orders = new Orders(mix, System::currentTimeMillis);
        this.callbacks = new CallbackOrders(rig.receivers(), orders);
        this.operator = new Operator(caller, ledger, orders, System::currentTimeMillis);
        this.teams = mix.teams()
                ? Optional.of(new Teams(rig.nodes(), ledger, System::currentTimeMillis, mix.maxDelayMs()))
                : Optional.empty();
        // As many again for what is done later: cancels and second pushes.
        this.threads = Executors.newScheduledThreadPool(2 * mix.producers() + 8, Threads.named("producer"));
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < mix.producers(); i++) {
            SplittableRandom random = seeds.split();
            threads.execute(() -> produce(random));
        }
        SplittableRandom random = seeds.split();
        threads.execute(() -> operate(random));
        SplittableRandom receiving = seeds.split();
        threads.execute(() -> pushBeside(callbacks::next, REQUESTS_PER_CALLBACK, receiving));
        if (mix.crowd() > 0) {
            Crowd crowd = new Crowd(callbacks, caller, mix.crowd(), () -> closing);
            threads.execute(() -> repeat(crowd::push));
        }
        rig.broker().ingest().ifPresent(ingest -> {
            SplittableRandom recording = seeds.split();
            Recorded recorded = new Recorded(ingest, orders, caller, ledger, System::currentTimeMillis);
            threads.execute(() -> {
                repeat(() -> recorded.step(recording));
                once(recorded::finish);
            });
        });
        teams.ifPresent(all -> all.members().forEach(member -> {
            SplittableRandom own = seeds.split();
            threads.execute(() -> repeat(() -> {
                member.step(own);
                TimeUnit.MILLISECONDS.sleep(own.nextLong(2 * TEAM_GAP_MS));
            }));
        }));
        if (mix.consumers() > 0) {
            SplittableRandom pulling = seeds.split();
            threads.execute(() -> pushBeside(orders::pulled, REQUESTS_PER_PULLED, pulling));
        }
    }

    /** How many messages there are about. */
    public int count() {
        return ledger.pushed().size();
    }

    /** What they were told, by id; where the answer with the id was lost, the row tells it. */
    public Map<String, Pushed> pushed(Collection<Row> rows) {
        return ledger.pushed(rows);
    }

    /** The callbacks among them, by id. */
    public Map<String, Callback> callbacks() {
        return callbacks.plans();
    }

    /** Answers that the contract does not know. */
    public List<String> surprises() {
        return ledger.surprises();
    }

    /** The answers to teams; none if there are no teams. */
    public List<Shown> shown() {
        return teams.map(Teams::shown).orElse(List.of());
    }

    /** Lets the teams pull no more. They do so also after {@link #close}, since messages fall due then. */
    public void finishTeams() {
        teams.ifPresent(Teams::close);
    }

    /** Begins no calls and waits for open answers. */
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
        repeat(() -> {
            step(random);
            TimeUnit.MICROSECONDS.sleep(random.nextLong(gapMicros));
        });
    }

    private void operate(SplittableRandom random) {
        repeat(() -> {
            TimeUnit.MILLISECONDS.sleep(random.nextLong(2 * OPERATOR_GAP_MS));
            operator.step(random);
        });
    }

    /** Some are cancelled, before their due time or between two attempts. */
    private void pushBeside(Function<SplittableRandom, Order> source, int requestsPerMessage, SplittableRandom random) {
        long gapMicros = 2_000_000L * requestsPerMessage / mix.perSecond();
        repeat(() -> {
            Order order = source.apply(random);
            if (random.nextInt(8) == 0) {
                later(random.nextLong(order.delayMs() + mix.maxDelayMs()), () -> caller.cancel(order.id()));
            }
            caller.push(order);
            TimeUnit.MICROSECONDS.sleep(random.nextLong(gapMicros));
        });
    }

    private void repeat(Call call) {
        once(() -> {
            while (!closing) {
                call.make();
            }
        });
    }

    private void once(Call call) {
        try {
            call.make();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            ledger.surprised("a producer died of " + e);
        }
    }

    private void step(SplittableRandom random) throws InterruptedException {
        int dice = random.nextInt(100);
        if (dice < 8) {
            pushBatch(random);
        } else if (dice < 14) {
            pushTwiceAtOnce(random);
        } else if (dice < 36) {
            pushAndCancel(random);
        } else if (dice < 42) {
            cancelAndRetryAtOnce(random);
        } else if (dice < 56) {
            pushAndReplace(random);
        } else {
            Order order = orders.any(random);
            caller.push(order);
            if (dice >= 90) {
                caller.query(order.id());
            }
        }
    }

    /** And later replacements of some of it, together. */
    private void pushBatch(SplittableRandom random) throws InterruptedException {
        List<Order> batch = new ArrayList<>();
        for (int i = random.nextInt(2, LARGEST_BATCH); i > 0; i--) {
            batch.add(orders.any(random));
        }
        caller.pushBatch(batch);
        List<Order> replacements = batch.stream()
                .filter(order -> order.isNamed() && random.nextInt(4) == 0)
                .map(order -> orders.replacement(order, 1, random))
                .toList();
        if (!replacements.isEmpty()) {
            later(random.nextLong(mix.maxDelayMs()), () -> caller.pushBatch(replacements));
        }
    }

    private void pushTwiceAtOnce(SplittableRandom random) throws InterruptedException {
        Order order = orders.named(random);
        later(0, () -> caller.push(order));
        caller.push(order);
    }

    /** Some before their message is there, most in the middle, many in the milliseconds around the due time, some later. */
    private void pushAndCancel(SplittableRandom random) throws InterruptedException {
        Order order = orders.named(random);
        later(orders.cancelAfterMs(order, random), () -> caller.cancel(order.id()));
        caller.push(order);
    }

    private void cancelAndRetryAtOnce(SplittableRandom random) throws InterruptedException {
        Order order = orders.named(random);
        long afterMs = orders.cancelAfterMs(order, random);
        later(afterMs, () -> caller.cancel(order.id()));
        later(afterMs, () -> caller.push(order));
        caller.push(order);
    }

    /** Once, twice, or twice at the same time; some are cancelled in the end. */
    private void pushAndReplace(SplittableRandom random) throws InterruptedException {
        Order order = orders.named(random);
        caller.push(order);
        long afterMs = orders.replaceAfterMs(order, random);
        if (random.nextInt(3) == 0) {
            Order rival = orders.rival(order, 1, random);
            Order other = orders.rival(order, 2, random);
            later(afterMs, () -> caller.push(rival));
            later(afterMs, () -> caller.push(other));
        } else {
            Order replacement = orders.replacement(order, 1, random);
            later(afterMs, () -> caller.push(replacement));
        }
        if (random.nextInt(4) == 0) {
            later(afterMs + random.nextLong(mix.maxDelayMs()), () -> caller.cancel(order.id()));
        }
    }

    private void later(long delayMs, Call call) {
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
