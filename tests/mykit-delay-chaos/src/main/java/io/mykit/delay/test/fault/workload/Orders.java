package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Version;
import io.mykit.delay.test.fault.rig.Rig;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Makes messages by the dice. Thread-safe. */
final class Orders {
    private static final int UNNAMED_PERCENT = 8;
    private static final int TRIGGER_AT_PERCENT = 20;
    private static final int TTL_PERCENT = 10;
    private static final int PRIORITY_PERCENT = 10;

    private final Mix mix;
    private final LongSupplier clock;
    private final AtomicInteger count = new AtomicInteger();

    Orders(Mix mix, LongSupplier clock) {
        this.mix = mix;
        this.clock = clock;
    }

    /** Some without an id. */
    Order any(SplittableRandom random) {
        Order order = named(random);
        return random.nextInt(100) < UNNAMED_PERCENT ? order.named("") : order;
    }

    Order named(SplittableRandom random) {
        return named(random, Mix.PRODUCED.get(random.nextInt(Mix.PRODUCED.size())));
    }

    Order named(SplittableRandom random, String topic) {
        long delayMs =
                switch (random.nextInt(100)) {
                    case 0 -> Version.SLEEP_MS;
                    case 1 -> Version.LONG_SLEEP_MS;
                    default -> delay(random);
                };
        Order order = new Order("m" + count.getAndIncrement(), topic, delayMs);
        if (delayMs < Version.SLEEP_MS && random.nextInt(100) < TRIGGER_AT_PERCENT) {
            order = order.dueAt(clock.getAsLong() + delayMs);
        }
        if (random.nextInt(100) < TTL_PERCENT) {
            order = order.withTtl(random.nextInt(10, 31));
        }
        return random.nextInt(100) < PRIORITY_PERCENT ? order.withPriority(random.nextInt(1, 10)) : order;
    }

    /** One for consumers that pull. */
    Order pulled(SplittableRandom random) {
        return new Order("p" + count.getAndIncrement(), Rig.PULLED, delay(random));
    }

    /** One whose ttl was over before it was pushed. */
    Order expired(SplittableRandom random) {
        return named(random).dueAt(clock.getAsLong() - 60_000).withTtl(20);
    }

    /** The same again, or another body at another time, or at the same. */
    Order replacement(Order order, int number, SplittableRandom random) {
        Order next = order.again(number);
        return switch (random.nextInt(3)) {
            case 0 -> next;
            case 1 -> next.withBody(body(next)).delayedBy(delay(random));
            default ->
                next.withBody(body(next))
                        .dueAt(order.triggerAtMs() > 0 ? order.triggerAtMs() : clock.getAsLong() + delay(random));
        };
    }

    /** Which has a body of its own. */
    Order rival(Order order, int number, SplittableRandom random) {
        Order next = order.again(number);
        return next.withBody(body(next)).delayedBy(delay(random));
    }

    /** When a producer cancels it, counted from its push. */
    long cancelAfterMs(Order order, SplittableRandom random) {
        long waitMs = waitMs(order, random);
        return switch (random.nextInt(5)) {
            case 0, 1 -> waitMs + random.nextLong(-60, 60);
            // As long as a broker is away: its delivery is being tried again.
            case 2 -> waitMs + random.nextLong(5_000);
            default -> random.nextLong(waitMs + 1);
        };
    }

    /** The same for a replacement. */
    long replaceAfterMs(Order order, SplittableRandom random) {
        return cancelAfterMs(order, random);
    }

    /** Until it is due, or until some time if that is far away. */
    private long waitMs(Order order, SplittableRandom random) {
        long waitMs = order.triggerAtMs() > 0 ? order.triggerAtMs() - clock.getAsLong() : order.delayMs();
        return waitMs > mix.maxDelayMs() ? delay(random) : Math.max(0, waitMs);
    }

    long delay(SplittableRandom random) {
        return random.nextLong(mix.maxDelayMs() + 1);
    }

    private static String body(Order order) {
        return "body " + order.version() + " of " + order.id();
    }
}
