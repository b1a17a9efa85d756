package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Callback;
import io.mykit.delay.test.fault.rig.Receiver;
import io.mykit.delay.test.fault.rig.Receivers;
import io.mykit.delay.test.fault.rig.Rig;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Makes messages with a receiver and a policy of their own by the dice, and remembers their plans. Thread-safe. */
final class CallbackOrders {
    private static final int ERROR = 500;
    /** It tells nothing about the health of the receiver, so that its circuit stays closed. */
    private static final int UNPROCESSABLE = 422;

    private static final int STEADY_PERCENT = 34;
    private static final int NEVER_PERCENT = 25;
    private static final int GONE_PERCENT = 5;
    private static final int REFUSED_PERCENT = 30;
    private static final int TTL_PERCENT = 15;
    private static final long SECOND_MS = 1_000;
    /** Longer than the short horizon. */
    private static final long FAR_MS = 12_000;

    private static final int LONGEST_SECONDS = 8;
    /** Enough for all faults of a run. */
    private static final List<Long> CROWD_GAPS_MS = Collections.nCopies(10, SECOND_MS);

    private final Receivers receivers;
    private final Orders orders;
    private final Map<String, Callback> plans = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    CallbackOrders(Receivers receivers, Orders orders) {
        this.receivers = receivers;
        this.orders = orders;
    }

    Order next(SplittableRandom random) {
        boolean steady = random.nextInt(100) < STEADY_PERCENT;
        List<Receiver> breakable = receivers.breakable();
        Receiver receiver = steady ? receivers.steady() : breakable.get(random.nextInt(breakable.size()));
        Policy policy = policy(random);
        Callback plan = plan(steady, policy.gapsMs(), random);
        Order order = new Order("c" + count.getAndIncrement(), Rig.CALLBACKS, orders.delay(random))
                .with(Map.of(
                        "retry", policy.json(), "target", Map.of("url", receiver.url(plan.status(), plan.refused()))));
        if (random.nextInt(100) < TTL_PERCENT) {
            order = order.withTtl(random.nextInt(5, 21));
        }
        plans.put(order.id(), plan);
        return order;
    }

    /** Messages for the slow receiver, many more than it answers in the time; in turn by the URL of their topic and by a target. */
    List<Order> crowd(int size, long delayMs) {
        return IntStream.range(0, size).mapToObj(i -> crowded(i, delayMs)).toList();
    }

    private Order crowded(int number, long delayMs) {
        Policy policy = listed(CROWD_GAPS_MS);
        boolean byTopic = number % 2 == 0;
        Map<String, Object> extras = new HashMap<>(Map.of("retry", policy.json()));
        if (!byTopic) {
            extras.put("target", Map.of("url", receivers.slow().url(UNPROCESSABLE, 0)));
        }
        Order order =
                new Order("s" + count.getAndIncrement(), byTopic ? Rig.CROWD : Rig.CALLBACKS, delayMs).with(extras);
        plans.put(order.id(), new Callback(false, UNPROCESSABLE, 0, policy.gapsMs(), true));
        return order;
    }

    /** By id. */
    Map<String, Callback> plans() {
        return Map.copyOf(plans);
    }

    /** A breakable receiver gets no message that always fails: as a probe, it would keep the circuit open. */
    private static Callback plan(boolean steady, List<Long> gapsMs, SplittableRandom random) {
        if (steady && random.nextInt(100) < NEVER_PERCENT) {
            return new Callback(true, ERROR, gapsMs.size() + 1, gapsMs);
        }
        int dice = random.nextInt(100);
        if (dice < GONE_PERCENT) {
            return new Callback(steady, Callback.GONE, gapsMs.size() + 1, gapsMs);
        }
        boolean refused = dice < GONE_PERCENT + REFUSED_PERCENT;
        return new Callback(steady, UNPROCESSABLE, refused ? 1 + random.nextInt(gapsMs.size()) : 0, gapsMs);
    }

    private static Policy policy(SplittableRandom random) {
        return switch (random.nextInt(10)) {
            case 0 -> listed(List.of(FAR_MS));
            case 1, 2, 3, 4 -> growing(random.nextInt(2, 6));
            default ->
                listed(random.ints(random.nextInt(1, 4), 1, LONGEST_SECONDS + 1)
                        .mapToObj(seconds -> seconds * SECOND_MS)
                        .toList());
        };
    }

    private static Policy listed(List<Long> gapsMs) {
        return new Policy(gapsMs, Map.of("gaps", gapsMs, "jitter", 0));
    }

    private static Policy growing(int maxAttempts) {
        List<Long> gapsMs = LongStream.iterate(SECOND_MS, gap -> Math.min(2 * gap, LONGEST_SECONDS * SECOND_MS))
                .limit(maxAttempts - 1L)
                .boxed()
                .toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("maxAttempts", maxAttempts);
        json.put("interval", "1s");
        json.put("multiplier", 2);
        json.put("maxInterval", LONGEST_SECONDS + "s");
        json.put("jitter", 0);
        return new Policy(gapsMs, json);
    }

    /** The gaps, and the keys that ask for them. */
    private record Policy(List<Long> gapsMs, Map<String, Object> json) {}
}
