package io.mykit.delay.test.fault.watch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A thread that looks again and again. */
final class Sampler implements AutoCloseable {
    private final Thread thread;
    private volatile boolean closed;

    /** Begins at once. What a look throws is of no account: the next comes soon. */
    Sampler(String name, Duration pause, Runnable look) {
        thread = new Thread(
                () -> {
                    while (!closed) {
                        try {
                            look.run();
                        } catch (RuntimeException e) {
                            // What is looked at is broken at the moment.
                        }
                        try {
                            TimeUnit.MILLISECONDS.sleep(pause.toMillis());
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
