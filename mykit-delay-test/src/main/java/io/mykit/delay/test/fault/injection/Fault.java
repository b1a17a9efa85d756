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
 * @param what is broken: two faults at a time never break the same
 * @param trait what has to be known of it afterwards
 * @param hold how long it stays broken
 * @param possible with which servers
 */
record Fault(String name, What what, Trait trait, Duration hold, Predicate<Variant> possible, Injection injection) {
    /** One that is possible with any servers. */
    Fault(String name, What what, Trait trait, Duration hold, Injection injection) {
        this(name, what, trait, hold, any -> true, injection);
    }

    /** In the order in which they have to be put right: a node does not start without its parts. */
    enum What {
        WIRE,
        REDIS,
        MYSQL,
        ZOOKEEPER,
        BROKER,
        NODE
    }

    enum Trait {
        NONE,
        /** Another node has to lead. */
        TAKES_THE_LEADER,
        /** Redis forgets some of what is not due yet; the next leader's first walk puts it back. */
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

    /** For what needs not be put right by hand. */
    static final Heal BY_ITSELF = () -> {};
}
