package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.util.List;

/** Sets dead letters to DELETE. The index does not know them. */
record DiscardPage(Recovery recovery) implements DeadPage {
    @Override
    public int change(List<String> ids, long first) {
        List<Transition.Step> discarded = List.of(
                new Transition.Step(MessageStatus.DELETE, recovery.clock().millis(), "discarded by an operator"));
        List<Transition> transitions = recovery.store().states(ids).stream()
                .filter(row -> row.status() == MessageStatus.FAILED)
                .map(row -> Transition.of(row, discarded, "discard"))
                .toList();
        return transitions.size() - recovery.store().move(transitions).size();
    }
}
