package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Delivery;

/** A request that needs a place. */
interface Call {
    /** The receiver: calls with the same text share its places. */
    String receiver();

    /** Whether a message named the receiver. The circuit of such a receiver defers its requests. */
    boolean own();

    /** Whether the receiver has a circuit. */
    boolean hasCircuit();

    /** The call that is due first gets the next place. Epoch milliseconds. */
    long dueTimeMs();

    /** Begins, with a place. Returns at once. */
    void begin(Place place);

    /** Decides the fate, if it is not decided yet. Any thread. */
    void decide(Delivery fate);
}
