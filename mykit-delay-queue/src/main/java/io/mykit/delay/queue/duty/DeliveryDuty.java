package io.mykit.delay.queue.duty;

import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.leader.LeaderDuty;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Starts the work of a term when this node becomes the leader, and closes it when the term ends. {@link #begin} does no I/O,
 * so it does not fail when a server is down.
 */
public final class DeliveryDuty implements LeaderDuty {
    private final MessageIndex index;
    private final Function<LeaderTerm, TermWork> works;
    private volatile TermWork current;

    /**
     * @param paused tells of topics that were paused or resumed
     * @param differing tells that other topics than before are delivered by other channels elsewhere
     * @param works creates the work of a term
     */
    public DeliveryDuty(
            MessageIndex index, PausedTopics paused, DifferingTopics differing, Function<LeaderTerm, TermWork> works) {
        this.index = index;
        this.works = works;
        paused.onChange(topic -> whileLeading(work -> work.pauseChanged(topic)));
        index.onRetry(topic -> whileLeading(work -> work.retry(topic)));
        differing.onChange(() -> whileLeading(TermWork::differencesChanged));
        // An earlier leader gives back what its channel refused at last.
        index.holds().onReady((bucket, topic) -> whileLeading(work -> work.offer(bucket, topic)));
        index.onEarlier(bucket -> whileLeading(work -> work.wakeScanner(bucket)));
    }

    /** Returns whether this node leads. */
    private boolean whileLeading(Consumer<TermWork> call) {
        TermWork work = current;
        if (work != null) {
            call.accept(work);
        }
        return work != null;
    }

    @Override
    public void begin(LeaderTerm term) {
        TermWork work = works.apply(term);
        current = work;
        work.start();
    }

    @Override
    public void end() {
        TermWork work = current;
        current = null;
        if (work != null) {
            work.close();
        }
    }

    /** An operator gave the topic another channel. */
    public void channelChanged(String topic) {
        boolean unused = whileLeading(work -> work.channelChanged(topic));
    }

    /** See {@link io.mykit.delay.queue.operator.Operators#retry}. */
    public boolean retry(String topic) {
        boolean leads = whileLeading(work -> work.retry(topic));
        if (!leads) {
            index.announceRetry(topic);
        }
        return leads;
    }

    /** The work of the current term; null while this node does not lead. */
    TermWork current() {
        return current;
    }
}
