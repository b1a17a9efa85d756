package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.fault.agent.Point;
import java.util.EnumSet;
import java.util.Set;

/**
 * One death and what leads to it.
 *
 * @param name begins the ids of its messages
 * @param before what has to be there; the server lives and is quiet
 * @param point where it dies
 * @param driving what leads there, begun when the point is armed. Nothing: it is reached in the first moments of a life, and
 *     the server, which may be dead by then, is started for it
 * @param after what a client does once it is alive again; before the judgement
 * @param traits what is different here
 */
record Round(String name, Act before, Point point, Act driving, Act after, Set<Trait> traits) {
    enum Trait {
        /** What was sent and not recorded arrives again. */
        MAY_REPEAT,
        /** On the server that keeps only the near future in Redis. */
        WITH_HORIZON
    }

    /** What somebody does with a lane. */
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
