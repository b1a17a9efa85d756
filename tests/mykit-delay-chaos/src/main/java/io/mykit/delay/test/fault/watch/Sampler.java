package io.mykit.delay.test.fault.watch;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A thread that repeats one check with a pause. */
final class Sampler implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** Begins at once. An exception of one sample is ignored, because the next sample comes soon. */
    Sampler(String name, Duration pause, Runnable look) {
        thread = Threads.daemon(name, () -> {
            while (!closed) {
                try {
                    look.run();
                } catch (RuntimeException e) {
                    // The sampled part is broken at the moment.
                }
                try {
                    TimeUnit.MILLISECONDS.sleep(pause.toMillis());
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
