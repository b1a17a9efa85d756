package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.injection.Fault.Heal;
import io.mykit.delay.test.fault.injection.Fault.Trait;
import io.mykit.delay.test.fault.rig.Node;
import io.mykit.delay.test.fault.rig.Rig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Carries a schedule out, and measures the time without a leader. For one thread. */
public final class Injector {
    /** The longest wait for a leader. A leader that comes later than the invariant allows is still recorded. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long LOOK_MS = 20;

    private final Rig rig;
    private final Consumer<String> say;
    private final List<Window> windows = new ArrayList<>();
    private boolean lostAPart;

    public Injector(Rig rig, Consumer<String> say) {
        this.rig = rig;
        this.say = say;
    }

    /**
     * Breaks and heals until the schedule or the time ends; everything is whole afterwards.
     *
     * @param enough asked before each step
     * @param workOff waits for the end of a backlog, within a bound; called before each fault that follows another one soon. A
     *     backlog would be judged by the bounds of the next fault
     */
    public void run(Schedule schedule, BooleanSupplier enough, Callable<?> workOff) throws Exception {
        for (Step step : schedule.steps()) {
            if (enough.getAsBoolean()) {
                return;
            }
            if (schedule.isTight()) {
                workOff.call();
            }
            TimeUnit.MILLISECONDS.sleep(step.calm().toMillis());
            Window window = carryOut(step);
            windows.add(window);
            say.accept(String.format(
                    "%-34s healed after %5d ms, one leader %5d ms later%s",
                    step.name(),
                    window.healedMs() - window.fromMs(),
                    window.leaderMs(),
                    window.takeoverMs() < 0 ? "" : ", takeover after " + window.takeoverMs() + " ms"));
        }
    }

    public List<Window> windows() {
        return List.copyOf(windows);
    }

    /** Whether Redis was made to forget messages that are not due yet, which only a new leader looks for. */
    public boolean lostAPart() {
        return lostAPart;
    }

    private Window carryOut(Step step) throws Exception {
        SplittableRandom random = new SplittableRandom(step.seed());
        Node before = rig.leader().orElse(null);
        List<Broken> broken = new ArrayList<>();
        long fromMs = System.currentTimeMillis();
        long begin = System.nanoTime();
        for (Fault fault : step.faults()) {
            lostAPart |= fault.trait() == Trait.LOSES_A_PART;
            broken.add(new Broken(fault, fault.injection().inject(rig, random.split())));
        }
        boolean takes = step.faults().size() == 1 && step.faults().get(0).trait() == Trait.TAKES_THE_LEADER;
        long takeoverMs = takes && before != null ? awaitMs(begin, () -> another(before)) : -1;
        for (Fault fault : step.faults()) {
            long left = fault.hold().toNanos() - (System.nanoTime() - begin);
            TimeUnit.NANOSECONDS.sleep(Math.max(0, left));
        }
        broken.sort(Comparator.comparing(each -> each.fault().what()));
        for (Broken each : broken) {
            each.heal().heal();
        }
        long healedMs = System.currentTimeMillis();
        long leaderMs = awaitMs(System.nanoTime(), this::exactlyOne);
        return new Window(step.name(), fromMs, healedMs, leaderMs, takeoverMs);
    }

    private boolean another(Node before) {
        return rig.nodes().stream().anyMatch(node -> node != before && node.leads());
    }

    private boolean exactlyOne() {
        return rig.nodes().stream().filter(Node::leads).count() == 1;
    }

    /** From then until it holds; negative if it does not in time. */
    private static long awaitMs(long beginNanos, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            if (condition.getAsBoolean()) {
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        return -1;
    }

    private record Broken(Fault fault, Heal heal) {}
}
