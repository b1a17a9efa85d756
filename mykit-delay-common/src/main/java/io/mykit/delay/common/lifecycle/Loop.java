package io.mykit.delay.common.lifecycle;

import java.time.Duration;

/** A piece of work that is done again and again by a {@link LoopRunner}. */
@FunctionalInterface
public interface Loop {
    /**
     * Does one round.
     *
     * @return how long to wait before the next round unless woken; {@link Duration#ZERO} = go on at once
     * @throws Exception anything: the runner logs it, waits out its backoff and goes on
     */
    Duration runOnce() throws Exception;
}
