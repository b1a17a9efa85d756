package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer that was not answered yet. One thread at a time looks for messages for it; between two looks it rests. It is
 * answered once. Thread-safe.
 */
final class Waiter implements Waiting {
    private static final Logger LOG = LoggerFactory.getLogger(Waiter.class);

    private final PullOrder order;
    private final Consumer<PullAnswer> answer;
    private final Consumer<Waiter> onEnd;
    private State state = State.LOOKED_FOR;
    /** A look was asked for while another one was on. */
    private boolean again;

    private boolean timeIsUp;
    private Future<?> timer;
    /** Of the last look. */
    private DelayException failure;

    /** @param onEnd is called once, when the consumer waits no longer */
    Waiter(PullOrder order, Consumer<PullAnswer> answer, Consumer<Waiter> onEnd) {
        this.order = order;
        this.answer = answer;
        this.onEnd = onEnd;
    }

    PullOrder order() {
        return order;
    }

    synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** Begins a look. Returns false if one is on, which then looks once more, or if the consumer does not wait any more. */
    synchronized boolean beginLook() {
        if (state == State.RESTS) {
            state = State.LOOKED_FOR;
            return true;
        }
        again = true;
        return false;
    }

    /**
     * Ends a look that found nothing.
     *
     * @param reason the failure of the look; null = there were no messages
     * @return true if the caller must look once more
     */
    boolean endLook(DelayException reason) {
        synchronized (this) {
            if (state == State.OVER) {
                return false;
            }
            failure = reason;
            if (!timeIsUp && !order.longestWait().isZero()) {
                boolean more = again;
                again = false;
                state = more ? State.LOOKED_FOR : State.RESTS;
                return more;
            }
        }
        end(nothing());
        return false;
    }

    /** @param running ends the wait; it is cancelled when the wait is over before */
    synchronized void endsBy(Future<?> running) {
        timer = running;
        if (state == State.OVER) {
            running.cancel(false);
        }
    }

    /** The longest wait is over. A look that is on may still answer with messages. */
    void timeUp() {
        synchronized (this) {
            timeIsUp = true;
            if (state == State.LOOKED_FOR) {
                return;
            }
        }
        end(nothing());
    }

    private synchronized PullAnswer nothing() {
        return failure == null ? PullAnswer.NOTHING : PullAnswer.failed(failure);
    }

    /** Answers the consumer. Returns false if it waits no longer; then its messages must be given back. */
    boolean end(PullAnswer given) {
        if (!over()) {
            return false;
        }
        try {
            answer.accept(given);
            return true;
        } catch (RuntimeException e) {
            LOG.warn("The answer to a pull of {} could not be taken", order.topics(), e);
            return false;
        }
    }

    @Override
    public void cancel() {
        over();
    }

    private boolean over() {
        synchronized (this) {
            if (state == State.OVER) {
                return false;
            }
            state = State.OVER;
            if (timer != null) {
                timer.cancel(false);
            }
        }
        onEnd.accept(this);
        return true;
    }

    List<String> topics() {
        return order.topics();
    }

    private enum State {
        LOOKED_FOR,
        RESTS,
        OVER
    }
}
