package io.mykit.delay.test.fault.halt;

import io.mykit.delay.test.fault.halt.Round.Act;

/** Delays and acts of clients that the rounds share. */
final class Steps {
    static final long HOUR_MS = 3_600_000;
    /** A delay after which the answer to the push has come before the due time. */
    static final long SOON_MS = 300;
    /** A delay after which a message is not due before the server is dead, or before a part is cut off. */
    static final long LATER_MS = 5_000;

    /** More than a batch, due at once; one for the far future; one that is cancelled. */
    static final Act PUSH = lane -> {
        lane.clients().push(1, 1, HOUR_MS);
        lane.clients().push(2, 2, SOON_MS);
        lane.clients().cancel(2);
        lane.clients().push(3, 30, SOON_MS);
    };

    static final Act WAITING = lane -> lane.clients().push(1, 6, LATER_MS);
    static final Act SLEEPING = lane -> lane.clients().push(1, 6, HOUR_MS);

    private Steps() {}
}
