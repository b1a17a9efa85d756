package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.Waiting;
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
    private State state;
    /** The last look found nothing and did not fail. */
    private boolean looked;
    /** A look was asked for while another one was on. */
    private boolean again;

    private boolean timeIsUp;
    private Future<?> timer;
    /** Of the last look. */
    private DelayException failure;

    /**
     * A consumer of one topic shares the looks of its topic. The caller begins the first look for a consumer of several topics.
     *
     * @param onEnd is called once, when the consumer waits no longer
     */
    Waiter(PullOrder order, Consumer<PullAnswer> answer, Consumer<Waiter> onEnd) {
        state = isAlone(order) ? State.NEW : State.LOOKED_FOR;
        this.order = order;
        this.answer = answer;
        this.onEnd = onEnd;
    }

    PullOrder order() {
        return order;
    }

    private static boolean isAlone(PullOrder order) {
        return order.topics().size() == 1;
    }

    /** Whether this consumer shares the looks of its only topic. */
    boolean isOfOneTopic() {
        return isAlone(order);
    }

    synchronized boolean isOver() {
        return state == State.OVER;
    }

    /** No look is needed: the looks for the other consumers of its topic have just found nothing. */
    synchronized void restAsOthers() {
        if (state == State.NEW) {
            state = State.RESTS;
            looked = true;
        }
    }

    /** Whether a look at all buckets must be asked for. */
    synchronized boolean isNew() {
        return state == State.NEW;
    }

    /**
     * Begins a look. Returns false if one is on, which then looks once more, or if the consumer does not wait any more, or if it
     * needs a look at all buckets.
     */
    synchronized boolean beginLook(Looks.Where where) {
        if (state == State.RESTS || (state == State.NEW && where == Looks.Where.ALL)) {
            state = State.LOOKED_FOR;
            return true;
        }
        again = state == State.LOOKED_FOR;
        return false;
    }

    /** The look that is on did not come to its end: another one follows. */
    synchronized void lookOnceMore() {
        again = true;
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
            looked = reason == null;
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

    /** A look for all consumers that rest failed. */
    synchronized void lookFailed(DelayException reason) {
        if (state == State.RESTS) {
            failure = reason;
            looked = false;
        }
    }

    synchronized boolean restsAfterLook() {
        return state == State.RESTS && looked;
    }

    /** Whether this consumer rests after a look that failed, or has had none. */
    synchronized boolean needsLook() {
        return state == State.NEW || (state == State.RESTS && failure != null);
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
            if (state == State.LOOKED_FOR || state == State.NEW) {
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
        } catch (RuntimeException | Error e) {
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
        NEW,
        LOOKED_FOR,
        RESTS,
        OVER
    }
}
