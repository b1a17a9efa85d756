package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Cancel;
import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Restore;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** What producers, callers and the operator were told. Thread-safe. */
public final class Ledger {
    private final Map<String, Pushed> pushed = new ConcurrentHashMap<>();
    private final Unnamed unnamed = new Unnamed();
    private final Set<String> cancelling = ConcurrentHashMap.newKeySet();
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    /** Before the first request is sent; more calls with the same order change nothing. */
    public void sending(Order order, long nowMs) {
        if (order.isNamed()) {
            pushed.merge(order.id(), first(order, nowMs), Ledger::withVersionsOf);
        } else {
            unnamed.sending(order, nowMs);
        }
    }

    /** The server made this id for a message that was sent without one. */
    void named(Order order, String id) {
        pushed.putIfAbsent(id, first(order.named(id), unnamed.named(order)));
    }

    public void acknowledged(Order order, long nowMs) {
        changeVersion(order, version -> version.acknowledged(nowMs));
    }

    /** A request was not answered, or the answer was that nobody knows. */
    public void doubted(Order order) {
        if (order.isNamed()) {
            changeVersion(order, Version::doubted);
        } else {
            unnamed.lost(order);
        }
    }

    /** Before the first request that may end it is sent. */
    void cancelling(String id) {
        cancelling.add(id);
    }

    boolean isCancelling(String id) {
        return cancelling.contains(id);
    }

    public void cancelAnswered(String id, Cancel cancel) {
        pushed.computeIfPresent(id, (key, was) -> was.with(cancel));
    }

    void restoreAnswered(String id, Restore restore) {
        pushed.computeIfPresent(id, (key, was) -> was.with(restore));
    }

    /** A request was answered, and the answer was that nothing was done. */
    void refused(Order order, String how) {
        pushed.computeIfPresent(order.id(), (id, was) -> was.refused("version " + order.version() + ": " + how));
    }

    public boolean isAcknowledged(String id) {
        Pushed known = pushed.get(id);
        return known != null && known.isAcknowledged();
    }

    /** Null if it is not known. */
    Pushed of(String id) {
        return pushed.get(id);
    }

    /** An answer that the contract does not know in this place. */
    public void surprised(String what) {
        surprises.add(what);
    }

    /** Those whose ids are known. */
    public Map<String, Pushed> pushed() {
        return new HashMap<>(pushed);
    }

    /** With those whose answer was lost together with the id: their rows tell it. */
    public Map<String, Pushed> pushed(Collection<Row> rows) {
        Map<String, Pushed> all = pushed();
        List<Row> untold =
                rows.stream().filter(row -> !all.containsKey(row.id())).toList();
        unnamed.found(untold).forEach(found -> all.put(found.id(), found));
        return all;
    }

    public List<String> surprises() {
        return List.copyOf(surprises);
    }

    private void changeVersion(Order order, UnaryOperator<Version> change) {
        pushed.computeIfPresent(order.id(), (id, was) -> {
            List<Version> versions = was.versions().stream()
                    .map(version -> version.number() == order.version() ? change.apply(version) : version)
                    .toList();
            return was.withVersions(versions);
        });
    }

    private static Pushed first(Order order, long nowMs) {
        return new Pushed(order.id(), order.topic(), List.of(order.sentAt(nowMs)));
    }

    private static Pushed withVersionsOf(Pushed was, Pushed added) {
        Version version = added.first();
        if (was.versions().stream().anyMatch(known -> known.number() == version.number())) {
            return was;
        }
        List<Version> versions = new ArrayList<>(was.versions());
        versions.add(version);
        versions.sort(Comparator.comparingInt(Version::number));
        return was.withVersions(versions);
    }
}
