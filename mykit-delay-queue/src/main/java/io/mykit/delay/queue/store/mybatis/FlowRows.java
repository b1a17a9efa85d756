package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates the rows of the flow log that its level asks for. Thread-safe.
 *
 * @param host the name of this node
 */
record FlowRows(FlowLog level, String host) {
    /** The first rows of messages. */
    List<NewFlow> begin(List<NewMessage> items, String now) {
        if (level != FlowLog.FULL) {
            return List.of();
        }
        String thread = Thread.currentThread().getName();
        List<NewFlow> rows = new ArrayList<>(items.size());
        for (NewMessage item : items) {
            rows.add(NewFlow.begin(item, thread, host, now));
        }
        return rows;
    }

    /** The rows of moves. */
    List<NewFlow> of(List<Transition> transitions, UtcTime.Texts times) {
        return switch (level) {
            case FULL -> all(transitions, times);
            case FINAL -> ends(transitions, times);
            case OFF -> List.of();
        };
    }

    private List<NewFlow> all(List<Transition> transitions, UtcTime.Texts times) {
        List<NewFlow> rows = new ArrayList<>(2 * transitions.size());
        for (Transition transition : transitions) {
            NewFlow.addTo(rows, transition, host, times);
        }
        return rows;
    }

    private List<NewFlow> ends(List<Transition> transitions, UtcTime.Texts times) {
        List<NewFlow> rows = new ArrayList<>(transitions.size());
        for (Transition transition : transitions) {
            if (!transition.to().isUnfinished()) {
                rows.add(NewFlow.last(transition, host, times));
            }
        }
        return rows;
    }
}
