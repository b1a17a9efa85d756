package io.mykit.delay.test.fault.injection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The faults, their order and their random choices, all of which follow from the seed. Immutable.
 *
 * <p>The times between the faults depend on the return of the servers, so that the same schedule can be carried out again on
 * any machine, though never to the millisecond.
 */
public final class Schedule {
    /** Long enough that most messages of a long run fall due outside of any fault's aftermath. */
    private static final int CALM_MS = 16_000;

    private static final int MORE_CALM_MS = 12_000;
    private static final int PAIRS_PERCENT = 30;

    private final List<Fault> kinds;
    private final long seed;
    private final List<Step> steps;

    private Schedule(List<Fault> kinds, long seed, List<Step> steps) {
        this.kinds = kinds;
        this.seed = seed;
        this.steps = steps;
    }

    /** Each of these once, in this order, with hardly a pause. */
    public static Schedule each(List<String> names, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Step> steps = new ArrayList<>();
        for (String name : names) {
            steps.add(new Step(List.of(Faults.named(name)), Duration.ofMillis(500), random.nextLong()));
        }
        return new Schedule(List.of(), seed, steps);
    }

    /**
     * Any of these in any order, some of them two at a time, without end.
     *
     * @throws IllegalArgumentException in words for the user, if there is no fault of such a name
     */
    public static Schedule random(List<String> names, long seed) {
        return new Schedule(names.stream().map(Faults::named).toList(), seed, List.of());
    }

    /** Whether a fault follows the one before so soon that a backlog may be left over from it. */
    boolean isTight() {
        return kinds.isEmpty();
    }

    /** The steps, each made when it is asked for. */
    Iterable<Step> steps() {
        return kinds.isEmpty() ? steps : () -> new Endless(kinds, new SplittableRandom(seed));
    }

    private record Endless(List<Fault> kinds, SplittableRandom random) implements Iterator<Step> {
        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Step next() {
            List<Fault> faults = new ArrayList<>(List.of(kinds.get(random.nextInt(kinds.size()))));
            Fault second = kinds.get(random.nextInt(kinds.size()));
            if (random.nextInt(100) < PAIRS_PERCENT
                    && second.what() != faults.get(0).what()) {
                faults.add(second);
            }
            Duration calm = Duration.ofMillis(CALM_MS + random.nextInt(MORE_CALM_MS));
            return new Step(List.copyOf(faults), calm, random.nextLong());
        }
    }
}
