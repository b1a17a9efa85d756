package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.bucket.StrayCount;
import io.mykit.delay.queue.bucket.Take;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The data of one bucket, and each change that a script makes. Not thread-safe. */
final class MemoryBucket {
    private final int number;
    private final Map<String, DelayMessage> pool = new TreeMap<>();
    private final MemoryWaiting waiting = new MemoryWaiting();
    private final MemoryReady ready = new MemoryReady();
    private final MemoryLeases leases = new MemoryLeases();
    private final Map<String, ParkedOutcome> parked = new TreeMap<>();
    /** Of messages in the pool. */
    private final Set<String> attempted = new HashSet<>();

    private final MemoryVetoes vetoes = new MemoryVetoes();
    final MemoryHolds holds = new MemoryHolds(pool, attempted, waiting, ready, leases, parked);
    /** Null = lost. */
    MemoryClaim claim;
    /** Null = whole. */
    private ClaimResult restoring;
    /** Until a leader has claimed the bucket. */
    private boolean leasesLost = true;

    MemoryBucket(int number) {
        this.number = number;
    }

    // ---- any node ----

    ScheduleOutcome schedule(DelayMessage message, boolean wasAttempted, long nowMs) {
        ParkedOutcome outcome = parked.get(message.id());
        if (outcome != null && outcome.version() >= message.version()) {
            return ScheduleOutcome.DELIVERED;
        }
        DelayMessage known = pool.get(message.id());
        boolean isKnown = known != null && known.version() >= message.version();
        if (vetoes.forbid(message.ref(), nowMs)) {
            return isKnown ? ScheduleOutcome.KNOWN : ScheduleOutcome.VETOED;
        }
        if (isKnown || (known != null && !waiting.remove(message.id()))) {
            return ScheduleOutcome.KNOWN;
        }
        holds.end(message.id());
        pool.put(message.id(), message);
        mark(message.id(), wasAttempted);
        if (leases.has(message.id())) {
            return ScheduleOutcome.KNOWN;
        }
        waiting.add(message, MemoryWaiting.score(message.dueTimeMs(), message));
        return ScheduleOutcome.SCHEDULED;
    }

    /** Makes the messages of a pulled topic ready that are due; returns whether there were any. A bucket that is lost makes none ready. */
    boolean makeReady(String topic, long nowMs) {
        return claim != null && restoring == null && holds.makeReady(topic, nowMs);
    }

    /** Empty if the bucket has a later version. */
    Optional<Removal> remove(MessageRef upTo, long nowMs) {
        DelayMessage message = pool.get(upTo.id());
        return message != null && message.version() > upTo.version()
                ? Optional.empty()
                : Optional.of(remove(upTo.id(), message, nowMs));
    }

    /** @param message null = the bucket does not have it */
    private Removal remove(String id, DelayMessage message, long nowMs) {
        if (message == null) {
            if (parked.containsKey(id)) {
                return Removal.DELIVERED;
            }
            Removal absent = vetoes.has(id, nowMs) ? Removal.VETOED : Removal.UNKNOWN;
            return leases.has(id) ? Removal.TOO_LATE : absent;
        }
        boolean waits = !holds.has(id) && waiting.remove(id);
        if (!waits && (holds.has(id) || leases.has(id) || leasesLost)) {
            return Removal.TOO_LATE;
        }
        boolean wasAttempted = attempted.contains(id);
        drop(id);
        vetoes.add(message.ref(), nowMs);
        return Removal.of(message, !waits, wasAttempted);
    }

    private void drop(String id) {
        pool.remove(id);
        attempted.remove(id);
        holds.left(id);
    }

    private void mark(String id, boolean wasAttempted) {
        if (wasAttempted) {
            attempted.add(id);
        } else {
            attempted.remove(id);
        }
    }

    /** Whether the message stays. */
    boolean purge(MessageRef message) {
        ParkedOutcome outcome = parked.get(message.id());
        boolean taken = leases.has(message.id()) || holds.has(message.id());
        if (taken || (outcome != null && outcome.version() >= message.version())) {
            return true;
        }
        DelayMessage known = pool.get(message.id());
        if (known != null && known.version() <= message.version()) {
            waiting.remove(message.id());
            drop(message.id());
        }
        return false;
    }

    /** Whether the bucket knows the message. */
    boolean veto(MessageRef message, long nowMs) {
        ParkedOutcome outcome = parked.get(message.id());
        boolean isKnown = pool.containsKey(message.id()) || leases.has(message.id());
        if (isKnown || (outcome != null && outcome.version() >= message.version())) {
            return true;
        }
        vetoes.add(message, nowMs);
        return false;
    }

    void lift(MessageRef message) {
        vetoes.lift(message);
    }

    /** Null = unknown. */
    Location locate(String id) {
        if (!pool.containsKey(id) && parked.containsKey(id)) {
            return Location.PARKED;
        }
        if (leases.has(id) || holds.has(id)) {
            return Location.TAKEN;
        }
        if (!pool.containsKey(id)) {
            return null;
        }
        return waiting.has(id) ? Location.WAITING : Location.READY;
    }

    boolean isUnknown(MessageRef message) {
        DelayMessage known = pool.get(message.id());
        ParkedOutcome outcome = parked.get(message.id());
        return (known == null || known.version() < message.version())
                && (outcome == null || outcome.version() < message.version());
    }

    Handout handOut(String topic, Portion portion, long untilMs, String receipt) {
        return holds.handOut(number, topic, portion, untilMs, receipt, claim == null || restoring != null);
    }

    Census census() {
        return new Census(waiting.size(), ready(), leases.size(), parked.size(), Math.max(0, orphans()));
    }

    /** Infinite if no message waits. */
    double earliest() {
        return waiting.earliest();
    }

    /** Whether the leader that claimed the bucket on this server has said what is in delivery. */
    boolean isKnownOn(String server) {
        return claim != null && claim.server().equals(server) && !leasesLost;
    }

    // ---- the owner ----

    ClaimResult claim(long epoch, String server) {
        if (claim != null && claim.epoch() > epoch) {
            throw new FencedException(number, epoch, claim.epoch());
        }
        if (claim == null) {
            restoring = ClaimResult.LOST;
        } else if (!claim.server().equals(server)) {
            restoring = ClaimResult.OLDER;
        }
        int turn = claim != null && claim.epoch() == epoch ? claim.turn() + 1 : 1;
        claim = new MemoryClaim(epoch, turn, server);
        if (restoring == null) {
            return ClaimResult.HELD;
        }
        leasesLost = true;
        return restoring;
    }

    void mark(ClaimResult ended) {
        restoring = restoring == ended ? null : restoring;
    }

    long nextDueMs() {
        return waiting.nextDueMs();
    }

    ScanResult moveDue(int limit, Handover handover, long nowMicros) {
        long nowMs = nowMicros / 1000;
        Set<String> filled = new HashSet<>();
        List<DelayMessage> taken = new ArrayList<>();
        List<String> topics = waiting.dueTopics(nowMs, limit);
        int left = limit;
        int moved = 0;
        // Topics share the limit, those with the newest heads first: the rest of their share is left for the others.
        for (int i = topics.size(); i > 0; i--) {
            String topic = topics.get(i - 1);
            if (handover.pulled().contains(topic)) {
                List<String> due = waiting.due(topic, nowMs, (left + i - 1) / i);
                left -= due.size();
                moved += holds.moveDue(topic, due, handover, nowMs, taken, filled);
                continue;
            }
            List<String> ids = waiting.poll(topic, nowMs, (left + i - 1) / i);
            ids.forEach(holds::end);
            left -= ids.size();
            moved += ids.size();
            if (ids.size() > handover.limit() || handover.except().contains(topic) || ready.has(topic)) {
                ready.append(topic, ids);
                filled.add(topic);
            } else {
                for (String id : ids) {
                    leases.add(id, nowMs + handover.lease().toMillis());
                    taken.add(pool.get(id));
                }
            }
        }
        return new ScanResult(moved, filled, taken, nextDueMs(), nowMicros);
    }

    Take take(String topic, int limit, long untilMs) {
        List<DelayMessage> taken = new ArrayList<>();
        for (String id : ready.poll(topic, limit)) {
            DelayMessage message = pool.get(id);
            boolean counts = message != null && message.topic().equals(topic);
            if (counts && !waiting.has(id) && !leases.has(id)) {
                leases.add(id, untilMs);
                taken.add(message);
            }
        }
        return Take.of(number, taken, ready.has(topic));
    }

    Map<String, Long> ready() {
        return ready.lengths();
    }

    void settle(Collection<String> ids) {
        for (String id : ids) {
            if (leases.remove(id) || !waiting.has(id)) {
                drop(id);
            }
        }
    }

    void release(String topic, List<String> ids, boolean wereAttempted) {
        for (int i = ids.size() - 1; i >= 0; i--) {
            if (leases.remove(ids.get(i))) {
                ready.prepend(topic, ids.get(i));
                if (wereAttempted) {
                    attempted.add(ids.get(i));
                }
            }
        }
    }

    void knowLeases() {
        leasesLost = false;
    }

    void extend(Collection<String> ids, long untilMs) {
        ids.stream().filter(leases::has).forEach(id -> leases.add(id, untilMs));
    }

    void retake(MessageRef message, long untilMs) {
        DelayMessage known = pool.get(message.id());
        if (known == null || known.version() <= message.version()) {
            waiting.remove(message.id());
            holds.end(message.id());
            leases.add(message.id(), untilMs);
        }
    }

    void postpone(DelayMessage message, boolean wasAttempted, long nowMs) {
        DelayMessage known = pool.get(message.id());
        if (!leases.remove(message.id()) || known == null) {
            return;
        }
        if (known.version() == message.version()) {
            pool.put(message.id(), message);
            mark(message.id(), wasAttempted || attempted.contains(message.id()));
            waiting.add(message, MemoryWaiting.score(message.dueTimeMs(), message));
        } else {
            waiting.add(known, MemoryWaiting.score(nowMs, known));
        }
    }

    void park(ParkedOutcome outcome) {
        String id = outcome.id();
        DelayMessage known = pool.get(id);
        boolean isLater = known != null && known.version() > outcome.version();
        if (leases.remove(id) || !(isLater || holds.has(id))) {
            waiting.remove(id);
            drop(id);
            parked.put(id, outcome);
        }
    }

    void leave(String id, long untilMs, String receipt) {
        if (pool.containsKey(id) && leases.remove(id)) {
            attempted.add(id);
            holds.hold(id, untilMs, receipt);
        }
    }

    List<ParkedOutcome> parked(int limit) {
        return parked.values().stream().limit(limit).toList();
    }

    void unpark(Collection<String> ids) {
        ids.forEach(parked::remove);
    }

    Map<String, List<String>> leased(long deadlineMs, int skip, int limit) {
        Map<String, List<String>> byTopic = new LinkedHashMap<>();
        for (String id : leases.before(deadlineMs, skip, limit)) {
            if (pool.containsKey(id)) {
                byTopic.computeIfAbsent(pool.get(id).topic(), topic -> new ArrayList<>())
                        .add(id);
            } else {
                leases.remove(id);
            }
        }
        return byTopic;
    }

    private long orphans() {
        return pool.size() - waiting.size() - ready.size() - leases.size();
    }

    StrayCount strays() {
        return new StrayCount(
                orphans(),
                0,
                leasesLost,
                waiting.sizes().size() + ready.lengths().size());
    }

    void collectStrays() {
        for (DelayMessage message : pool.values()) {
            if (!leases.has(message.id()) && !waiting.has(message.id())) {
                holds.end(message.id());
                waiting.add(message, MemoryWaiting.score(message.dueTimeMs(), message));
            }
        }
    }

    List<String> waitingIds() {
        return waiting.ids();
    }

    // ---- faults ----

    void lose() {
        pool.clear();
        losePlaces();
        leases.clear();
        parked.clear();
        vetoes.clear();
        holds.clear();
        claim = null;
        restoring = null;
        leasesLost = true;
    }

    void loseLeases() {
        leases.clear();
        leasesLost = true;
    }

    /** The messages stay in the pool, and wait and are ready no longer. */
    void losePlaces() {
        waiting.clear();
        ready.clear();
    }

    @Override
    public String toString() {
        return String.join(
                "; ",
                pool.toString(),
                waiting.toString(),
                ready.toString(),
                leases.toString(),
                parked.toString(),
                vetoes.toString(),
                holds.toString(),
                claim + " " + restoring);
    }
}
