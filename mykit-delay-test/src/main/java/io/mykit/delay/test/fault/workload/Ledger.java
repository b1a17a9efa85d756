package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Pushed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** What producers and callers were told. Thread-safe. */
public final class Ledger {
    private final Map<String, Pushed> pushed = new ConcurrentHashMap<>();
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    /** Before the first request is sent. */
    public void sending(Order order, long nowMs) {
        pushed.put(order.id(), new Pushed(order.id(), order.topic(), order.delayMs(), nowMs, false, List.of()));
    }

    public void acknowledged(String id) {
        pushed.computeIfPresent(
                id, (key, was) -> new Pushed(id, was.topic(), was.delayMs(), was.firstSentMs(), true, was.cancels()));
    }

    public void cancelAnswered(String id, Cancel.Answered answered, long nowMs) {
        pushed.computeIfPresent(id, (key, was) -> {
            List<Cancel> cancels = new ArrayList<>(was.cancels());
            cancels.add(new Cancel(answered, nowMs));
            return new Pushed(
                    id, was.topic(), was.delayMs(), was.firstSentMs(), was.acknowledged(), List.copyOf(cancels));
        });
    }

    public boolean isAcknowledged(String id) {
        Pushed known = pushed.get(id);
        return known != null && known.acknowledged();
    }

    /** An answer that the contract does not know in this place. */
    public void surprised(String what) {
        surprises.add(what);
    }

    public Map<String, Pushed> pushed() {
        return new HashMap<>(pushed);
    }

    public List<String> surprises() {
        return List.copyOf(surprises);
    }
}
