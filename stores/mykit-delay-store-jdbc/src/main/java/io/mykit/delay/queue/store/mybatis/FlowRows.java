package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides where the moves of messages are kept, as far as the level asks for them: the push and the ordinary end in the row of
 * the message, all other moves in the flow log. Thread-safe.
 *
 * @param host the name of this node
 */
record FlowRows(FlowLog level, String host, Authors authors) {
    /** The author of pushes by this thread; 0 if the level does not ask for pushes. Call it outside a transaction. */
    int pushAuthor() {
        return level == FlowLog.FULL ? authors.number(Thread.currentThread().getName()) : 0;
    }

    /** Asks for the authors of these moves. Call it outside a transaction, before {@link #end} inside. */
    void prepare(List<Transition> transitions) {
        for (Transition transition : transitions) {
            if (isInRow(transition)) {
                authors.number(transition.thread());
            }
        }
    }

    /** The end that the row of the message keeps; null if it keeps none. */
    RowEnd end(Transition transition) {
        if (!isInRow(transition)) {
            return null;
        }
        boolean both = level == FlowLog.FULL && transition.steps().size() > 1;
        long takenMs = both ? transition.steps().get(0).atMs() : 0;
        return new RowEnd(takenMs, transition.last().atMs(), authors.number(transition.thread()));
    }

    /** The rows of the log for these moves. */
    List<NewFlow> of(List<Transition> transitions, UtcTime.Texts times) {
        List<NewFlow> rows = new ArrayList<>();
        for (Transition transition : transitions) {
            if (isInRow(transition)) {
                continue;
            }
            if (level == FlowLog.FULL) {
                NewFlow.addTo(rows, transition, host, times);
            } else if (level == FlowLog.FINAL && !transition.to().isUnfinished()) {
                rows.add(NewFlow.last(transition, host, times));
            }
        }
        return rows;
    }

    /** True for an ordinary end, unless the log is off. */
    private boolean isInRow(Transition transition) {
        if (level == FlowLog.OFF || transition.to() != MessageStatus.FINISH) {
            return false;
        }
        List<Transition.Step> steps = transition.steps();
        return transition.from() == (steps.size() == 1 ? MessageStatus.READY : MessageStatus.DELAY)
                && steps.stream().allMatch(step -> step.detail().isEmpty());
    }
}
