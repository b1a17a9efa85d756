package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;

/**
 * Writes the flow log of a {@link MemoryMessageStore}, as much as its level wants, and no longer than the columns of a database.
 *
 * @param host the node of the store
 */
record MemoryFlow(MemoryTables tables, FlowLog level, String host) {
    private static final int MAX_THREAD = 60;
    private static final int MAX_DETAIL = 250;

    void begin(NewMessage item, long nowMs) {
        if (level == FlowLog.FULL) {
            String thread = Thread.currentThread().getName();
            add(item.message().id(), null, new Transition.Step(item.status(), nowMs), thread, 0);
        }
    }

    void moved(Transition transition) {
        MessageStatus at = transition.from();
        int last = transition.steps().size() - 1;
        for (int i = 0; i <= last; i++) {
            Transition.Step step = transition.steps().get(i);
            boolean isEnd = i == last && !step.to().isUnfinished();
            if (level == FlowLog.FULL || (level == FlowLog.FINAL && isEnd)) {
                add(transition.id(), at, step, transition.thread(), transition.attempts());
            }
            at = step.to();
        }
    }

    private void add(String id, MessageStatus from, Transition.Step step, String thread, int attempts) {
        tables.log(new StatusFlow(
                id,
                from,
                step.to(),
                step.atMs(),
                cut(thread, MAX_THREAD),
                host,
                attempts,
                cut(step.detail(), MAX_DETAIL)));
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max);
    }
}
