package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.MessageRef;
import java.util.Map;
import java.util.TreeMap;

/** The messages of a bucket that must not be scheduled for a while. Not thread-safe. */
final class MemoryVetoes {
    private static final long VETO_MS = 20_000;

    private final Map<String, Veto> vetoes = new TreeMap<>();

    /** @param calls how many calls need it */
    private record Veto(int version, long untilMs, int calls) {}

    /** This version and older ones. A veto that is about a later version stays as it is. */
    void add(MessageRef message, long nowMs) {
        vetoes.values().removeIf(veto -> veto.untilMs <= nowMs);
        Veto before = vetoes.get(message.id());
        if (before == null || message.version() >= before.version) {
            int calls = before != null && message.version() == before.version ? before.calls + 1 : 1;
            vetoes.put(message.id(), new Veto(message.version(), nowMs + VETO_MS, calls));
        }
    }

    /** The last of several calls ends the veto. */
    void lift(MessageRef message) {
        vetoes.computeIfPresent(message.id(), (id, veto) -> {
            if (veto.version > message.version()) {
                return veto;
            }
            return veto.calls > 1 ? new Veto(veto.version, veto.untilMs, veto.calls - 1) : null;
        });
    }

    /** Whether the id has a veto for any version. */
    boolean has(String id, long nowMs) {
        Veto veto = vetoes.get(id);
        return veto != null && veto.untilMs > nowMs;
    }

    boolean forbid(MessageRef message, long nowMs) {
        Veto veto = vetoes.get(message.id());
        return veto != null && veto.untilMs > nowMs && message.version() <= veto.version;
    }

    void clear() {
        vetoes.clear();
    }

    @Override
    public String toString() {
        return vetoes.toString();
    }
}
