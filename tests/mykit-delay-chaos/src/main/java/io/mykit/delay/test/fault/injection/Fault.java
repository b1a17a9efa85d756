package io.mykit.delay.test.fault.injection;

import io.mykit.delay.test.fault.rig.Rig;
import io.mykit.delay.test.fault.rig.Variant;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * A way to break something.
 *
 * @param name as on the command line
 * @param what the broken part: two faults at a time never break the same one
 * @param trait the effect that the judgement has to know
 * @param hold how long it stays broken
 * @param possible with which servers
 */
record Fault(String name, What what, Trait trait, Duration hold, Predicate<Variant> possible, Injection injection) {
    /** A fault that is possible with any servers. */
    Fault(String name, What what, Trait trait, Duration hold, Injection injection) {
        this(name, what, trait, hold, any -> true, injection);
    }

    /** In the order of repair: a node does not start without its parts. */
    enum What {
        WIRE,
        REDIS,
        MYSQL,
        ZOOKEEPER,
        BROKER,
        RECEIVER,
        NODE
    }

    enum Trait {
        NONE,
        /** Another node has to lead. */
        TAKES_THE_LEADER,
        /** Redis forgets some messages that are not due yet; the next leader's first walk puts them back. */
        LOSES_A_PART
    }

    /** Breaks it. The random choices come from the schedule's seed. */
    interface Injection {
        Heal inject(Rig rig, SplittableRandom random) throws Exception;
    }

    /** Puts it right. */
    interface Heal {
        void heal() throws Exception;
    }

    /** For faults that end without a repair by the test. */
    static final Heal BY_ITSELF = () -> {};
}
