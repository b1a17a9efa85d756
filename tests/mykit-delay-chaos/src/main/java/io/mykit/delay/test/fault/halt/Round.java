package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.fault.agent.Point;
import java.util.EnumSet;
import java.util.Set;

/**
 * One death, with the actions before and after it.
 *
 * @param name begins the ids of its messages
 * @param before the action that prepares it, while the server lives and is quiet
 * @param point where it dies
 * @param driving the action that leads to the point, begun when the point is armed. {@link #NOTHING}: the server reaches the
 *     point in the first moments of a life, and is started for it
 * @param after the clients' action when the server is alive again; before the judgement
 * @param traits the differences to an ordinary round
 */
record Round(String name, Act before, Point point, Act driving, Act after, Set<Trait> traits) {
    enum Trait {
        /** A message that was sent and not recorded arrives again. */
        MAY_REPEAT,
        /** On the server that keeps only the near future in Redis. */
        WITH_HORIZON
    }

    /** An action of clients or of the test on a lane. */
    interface Act {
        void on(Lane lane) throws Exception;
    }

    static final Act NOTHING = lane -> {};

    static Round of(String name, Point point) {
        return new Round(name, NOTHING, point, NOTHING, NOTHING, EnumSet.noneOf(Trait.class));
    }

    Round given(Act act) {
        return new Round(name, act, point, driving, after, traits);
    }

    Round when(Act act) {
        return new Round(name, before, point, act, after, traits);
    }

    Round then(Act act) {
        return new Round(name, before, point, driving, act, traits);
    }

    Round with(Trait trait) {
        Set<Trait> more = EnumSet.of(trait, traits.toArray(Trait[]::new));
        return new Round(name, before, point, driving, after, more);
    }

    boolean is(Trait trait) {
        return traits.contains(trait);
    }

    boolean isAtStart() {
        return driving == NOTHING;
    }
}
