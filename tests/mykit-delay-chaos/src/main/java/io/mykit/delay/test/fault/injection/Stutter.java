package io.mykit.delay.test.fault.injection;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.fault.injection.Fault.Heal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A part that is slow and not away: it is frozen again and again, and runs for a moment in between. A thread of its own does it
 * from the beginning until it is healed.
 */
final class Stutter implements Heal {
    private static final Duration RUNS = Duration.ofMillis(150);

    private final Runnable freeze;
    private final Runnable thaw;
    private final Duration frozen;
    private final CountDownLatch healed = new CountDownLatch(1);
    private final Thread thread = Threads.daemon("stutter", this::stutter);
    private volatile RuntimeException failure;

    private Stutter(Runnable freeze, Runnable thaw, Duration frozen) {
        this.freeze = freeze;
        this.thaw = thaw;
        this.frozen = frozen;
    }

    /** @param frozen how long each time */
    static Heal begin(Runnable freeze, Runnable thaw, Duration frozen) {
        Stutter stutter = new Stutter(freeze, thaw, frozen);
        stutter.thread.start();
        return stutter;
    }

    @Override
    public void heal() throws InterruptedException {
        healed.countDown();
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }

    private void stutter() {
        try {
            boolean goesOn = true;
            while (goesOn) {
                freeze.run();
                goesOn = !isHealedWithin(frozen);
                thaw.run();
                goesOn = goesOn && !isHealedWithin(RUNS);
            }
        } catch (RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            // It ends with the program.
            Thread.currentThread().interrupt();
        }
    }

    private boolean isHealedWithin(Duration time) throws InterruptedException {
        return healed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
