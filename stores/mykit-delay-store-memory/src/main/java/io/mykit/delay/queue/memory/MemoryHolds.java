package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.TopicCensus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The calls on messages of a bucket that consumers pull. A held message waits for the end of its hold; all other waiting messages
 * wait for their due time. Not thread-safe.
 */
final class MemoryHolds {
    private static final long LONGER_MS = 1000;

    private final Map<String, DelayMessage> pool;
    private final Set<String> attempted;
    private final MemoryWaiting waiting;
    private final MemoryReady ready;
    private final MemoryLeases leases;
    private final Map<String, ParkedOutcome> parked;
    /** By id. */
    private final Map<String, String> receipts = new TreeMap<>();
    /** How often consumers had a message of the pool, by the message: another version begins anew. */
    private final Map<String, Handed> handed = new TreeMap<>();

    MemoryHolds(
            Map<String, DelayMessage> pool,
            Set<String> attempted,
            MemoryWaiting waiting,
            MemoryReady ready,
            MemoryLeases leases,
            Map<String, ParkedOutcome> parked) {
        this.pool = pool;
        this.attempted = attempted;
        this.waiting = waiting;
        this.ready = ready;
        this.leases = leases;
        this.parked = parked;
    }

    boolean has(String id) {
        return receipts.containsKey(id) && waiting.has(id);
    }

    /** Ends a hold; the message stays where it is. */
    void end(String id) {
        receipts.remove(id);
    }

    private void setUntil(String id, long untilMs) {
        waiting.remove(id);
        waiting.addHeld(pool.get(id), untilMs);
    }

    /** Makes all messages of a topic ready that are due and not held. Returns whether there were any. */
    boolean makeReady(String topic, long nowMs) {
        List<String> free = waiting.due(topic, nowMs, Integer.MAX_VALUE).stream()
                .filter(id -> !has(id))
                .toList();
        free.forEach(waiting::remove);
        ready.append(topic, free);
        return !free.isEmpty();
    }

    /** Messages whose hold has ended are taken, a few of them; the others go into the ready list. Returns their number. */
    int moveDue(
            String topic,
            List<String> due,
            Handover handover,
            long nowMs,
            List<DelayMessage> taken,
            Set<String> filled) {
        List<String> ended = due.stream().filter(this::has).toList();
        List<String> free = due.stream().filter(id -> !has(id)).toList();
        if (!free.isEmpty()) {
            free.forEach(waiting::remove);
            ready.append(topic, free);
            filled.add(topic);
        }
        if (handover.limit() == 0 || handover.except().contains(topic)) {
            ended.forEach(id -> setUntil(id, nowMs + LONGER_MS));
            return free.size();
        }
        List<String> few = ended.subList(0, Math.min(ended.size(), handover.limit()));
        for (String id : few) {
            waiting.remove(id);
            receipts.remove(id);
            consumed(id);
            leases.add(id, nowMs + handover.lease().toMillis());
            taken.add(pool.get(id));
        }
        return free.size() + few.size();
    }

    Handout handOut(int bucket, String topic, Portion portion, long untilMs, String receipt, boolean suspect) {
        List<DelayMessage> out = new ArrayList<>();
        long bytes = 0;
        while (out.size() < portion.messages() && ready.has(topic)) {
            String id = ready.poll(topic, 1).get(0);
            DelayMessage message = pool.get(id);
            if (!isReady(message, topic)) {
                continue;
            }
            bytes += message.characters();
            if (bytes > portion.bytes() && !(out.isEmpty() && portion.atLeastOne())) {
                ready.prepend(topic, id);
                break;
            }
            hold(id, untilMs, receipt);
            out.add(message);
        }
        return new Handout(bucket, out, handed(out), untilMs, ready.has(topic), suspect, null);
    }

    private Map<String, Integer> handed(List<DelayMessage> messages) {
        Map<String, Integer> times = new HashMap<>();
        for (DelayMessage message : messages) {
            Handed known = handed.get(message.id());
            if (known != null && known.version() == message.version()) {
                times.put(message.id(), known.times());
            }
        }
        return times;
    }

    /** This message has left the bucket. */
    void left(String id) {
        handed.remove(id);
    }

    /** A consumer had this message. */
    private void consumed(String id) {
        int version = pool.get(id).version();
        Handed unused = handed.merge(
                id, new Handed(version, 1), (known, one) -> known.version() == version ? known.onceMore() : one);
    }

    void hold(String id, long untilMs, String receipt) {
        waiting.addHeld(pool.get(id), untilMs);
        receipts.put(id, receipt);
    }

    private boolean isReady(DelayMessage message, String topic) {
        return message != null
                && message.topic().equals(topic)
                && !waiting.has(message.id())
                && !leases.has(message.id());
    }

    HoldState state(Held sought) {
        if (!has(sought.id())) {
            return HoldState.FREE;
        }
        return HoldReceipt.same(receipts.get(sought.id()), sought.receipt())
                ? HoldState.HELD
                : HoldState.HELD_BY_ANOTHER;
    }

    boolean rename(Held held, String receipt) {
        boolean holds = state(held) == HoldState.HELD;
        if (holds) {
            receipts.put(held.id(), receipt);
        }
        return holds;
    }

    List<HeldMessage> held(String topic) {
        return receipts.keySet().stream()
                .filter(this::has)
                .map(pool::get)
                .filter(message -> message.topic().equals(topic))
                .map(message -> new HeldMessage(message, hold(message.id())))
                .toList();
    }

    /** The hold of a message that has one. */
    Hold hold(String id) {
        return new Hold((long) Math.floor(waiting.score(id)), HoldReceipt.read(receipts.get(id)));
    }

    /** The topic, or null if the message is not under this hold. */
    String forget(Held held) {
        if (!takeOut(held)) {
            return null;
        }
        attempted.remove(held.id());
        handed.remove(held.id());
        return pool.remove(held.id()).topic();
    }

    boolean extend(Held held, long untilMs) {
        boolean holds = state(held) == HoldState.HELD;
        if (holds) {
            setUntil(held.id(), untilMs);
        }
        return holds;
    }

    boolean postpone(Held held, DelayMessage message, long nowMs, boolean consumed) {
        DelayMessage known = pool.get(held.id());
        boolean ended = takeOut(held);
        if (ended && known.version() == message.version()) {
            pool.put(held.id(), message);
            if (consumed) {
                consumed(held.id());
            }
            waiting.add(message, MemoryWaiting.score(message.dueTimeMs(), message));
        } else if (ended) {
            waiting.add(known, MemoryWaiting.score(nowMs, known));
        }
        return ended;
    }

    /** The topic, or null if the message is not under this hold. */
    String release(Held held, boolean consumed) {
        if (!takeOut(held)) {
            return null;
        }
        if (consumed) {
            consumed(held.id());
        }
        String topic = pool.get(held.id()).topic();
        ready.prepend(topic, held.id());
        return topic;
    }

    /** The topic, or null if the message is not under this hold. */
    String park(Held held, ParkedOutcome outcome) {
        String topic = forget(held);
        if (topic != null) {
            parked.put(held.id(), outcome);
        }
        return topic;
    }

    private boolean takeOut(Held held) {
        if (state(held) != HoldState.HELD) {
            return false;
        }
        receipts.remove(held.id());
        return waiting.remove(held.id());
    }

    List<DelayMessage> peek(String topic, Location where, int limit) {
        return pool.values().stream()
                .filter(message -> message.topic().equals(topic) && !leases.has(message.id()))
                .filter(message -> waiting.has(message.id()) == (where == Location.WAITING) && !has(message.id()))
                .sorted(Comparator.comparingDouble(message -> MemoryWaiting.score(message.dueTimeMs(), message)))
                .limit(limit)
                .toList();
    }

    Set<String> topics() {
        Set<String> topics = new TreeSet<>(ready.lengths().keySet());
        topics.addAll(waiting.sizes().keySet());
        return topics;
    }

    /** Of all topics. */
    Map<String, TopicCensus> census() {
        Map<String, Long> held = heldByTopic();
        Map<String, Long> waits = waiting.sizes();
        Map<String, Long> lengths = ready.lengths();
        Map<String, TopicCensus> census = new HashMap<>();
        for (String topic : topics()) {
            long holds = held.getOrDefault(topic, 0L);
            census.put(
                    topic,
                    new TopicCensus(
                            topic, waits.getOrDefault(topic, 0L) - holds, lengths.getOrDefault(topic, 0L), holds));
        }
        return census;
    }

    Map<String, Long> leasedByTopic() {
        Map<String, Long> leased = new HashMap<>();
        pool.values().stream()
                .filter(message -> leases.has(message.id()))
                .forEach(message -> leased.merge(message.topic(), 1L, Long::sum));
        return leased;
    }

    private Map<String, Long> heldByTopic() {
        Map<String, Long> held = new HashMap<>();
        receipts.keySet().stream()
                .filter(this::has)
                .forEach(id -> held.merge(pool.get(id).topic(), 1L, Long::sum));
        return held;
    }

    void clear() {
        receipts.clear();
        handed.clear();
    }

    @Override
    public String toString() {
        return receipts.toString();
    }

    /** How often consumers had a version of a message. */
    private record Handed(int version, int times) {
        Handed onceMore() {
            return new Handed(version, times + 1);
        }
    }
}
