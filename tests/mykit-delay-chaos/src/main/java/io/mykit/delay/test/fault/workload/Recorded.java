package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import io.mykit.delay.test.fault.rig.Broker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Pushes by records of the broker. A record that the broker has confirmed has to become a message, whatever happens to the nodes; the
 * push is acknowledged when a node knows the message. For one thread.
 */
final class Recorded {
    private static final int LARGEST_BATCH = 20;
    /** Longer than the partitions of a killed node wait for another one. */
    private static final long LEAST_DELAY_MS = 15_000;

    private final Broker.Ingest ingest;
    private final Orders orders;
    private final Caller caller;
    private final Ledger ledger;
    private final LongSupplier clock;
    /** Confirmed by the broker, and not known to a node yet. */
    private final Queue<Order> open = new ConcurrentLinkedQueue<>();

    /** @param clock epoch milliseconds */
    Recorded(Broker.Ingest ingest, Orders orders, Caller caller, Ledger ledger, LongSupplier clock) {
        this.ingest = ingest;
        this.orders = orders;
        this.caller = caller;
        this.ledger = ledger;
        this.clock = clock;
    }

    void step(SplittableRandom random) throws InterruptedException {
        List<Order> batch = new ArrayList<>();
        for (int i = random.nextInt(1, LARGEST_BATCH); i > 0; i--) {
            Order order = orders.named(random);
            batch.add(order.dueAt(clock.getAsLong() + LEAST_DELAY_MS + order.delayMs())
                    .withTtl(0));
        }
        batch.forEach(order -> ledger.sending(order, clock.getAsLong()));
        List<Boolean> stored = ingest.write(
                batch.stream().map(order -> JSON.toJSONString(order.json())).toList());
        for (int i = 0; i < batch.size(); i++) {
            if (stored.get(i)) {
                open.add(batch.get(i));
            } else {
                ledger.doubted(batch.get(i));
            }
        }
        look();
        TimeUnit.MILLISECONDS.sleep(random.nextLong(1_000));
    }

    private void look() throws InterruptedException {
        for (Order order = open.peek(); order != null; order = open.peek()) {
            String id = order.id();
            if (!caller.ask(client -> client.job(id), answer -> answer.status() == 200, () -> {})) {
                return;
            }
            open.remove();
            ledger.acknowledged(order, clock.getAsLong());
        }
    }

    /** Each confirmed record has to be a message now or soon. */
    void finish() throws InterruptedException {
        look();
        open.forEach(order ->
                ledger.surprised("the broker has the record of " + order.id() + ", and no node knows its message"));
    }
}
