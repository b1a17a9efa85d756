package io.mykit.delay.queue.recovery;

/** Cancels everything that is unfinished. Thread-safe; blocks. */
public final class Clearer {

    /** Every message unfinished at the call becomes DELETE and leaves the index; what is pushed meanwhile survives. */
    public ClearReport clearAll() {
        throw new UnsupportedOperationException();
    }
}
