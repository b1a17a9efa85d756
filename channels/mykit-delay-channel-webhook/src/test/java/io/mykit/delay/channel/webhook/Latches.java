package io.mykit.delay.channel.webhook;

import java.util.concurrent.CountDownLatch;

/** Waits for what another thread of a test does. */
final class Latches {
    private Latches() {}

    /** Ends at once, with the flag set, if the thread is interrupted. */
    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
