package io.mykit.delay.common.lifecycle;

import java.time.Duration;

/** Work that a {@link LoopRunner} repeats on its own thread. */
@FunctionalInterface
public interface Loop {
    /**
     * Runs one round.
     *
     * @return the wait before the next round, which a wake ends early; {@link Duration#ZERO} = no wait
     * @throws Exception any exception: the runner logs it, waits for its backoff and goes on
     */
    Duration runOnce() throws Exception;
}
