package io.mykit.delay.channel.rabbitmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The messages of one send, by their place in the batch, and what is known of each: not begun, published and unanswered, or its fate. No
 * fate changes after {@link #end}.
 *
 * <p>Thread-safe: the sending thread publishes, the client's thread brings the answers, the caller waits. No method but the two that
 * wait blocks.
 */
final class Batch {
    private final List<DelayMessage> messages;
    private final ConfirmWindow window;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // All below are guarded by the lock.
    private final Delivery[] fates;
    /** The places of messages that the broker may have got. */
    private final BitSet begun = new BitSet();
    /** Those of them that were published over an earlier channel, too: no later answer says that the broker has none of them. */
    private final BitSet begunBefore = new BitSet();
    /** The places of published messages by their delivery tags on the channel that is in use. */
    private final NavigableMap<Long, Integer> unanswered = new TreeMap<>();
    /** Why the broker returned a message; its confirm follows the return. */
    private final Map<Integer, Delivery> returned = new HashMap<>();

    /** When each message was published last. */
    private final long[] publishedNanos;

    private int known;
    private boolean ended;
    private Throwable loss;

    /** @param window gets back the place of each message that was published */
    Batch(List<DelayMessage> messages, ConfirmWindow window) {
        this.messages = List.copyOf(messages);
        this.window = window;
        this.fates = new Delivery[messages.size()];
        this.publishedNanos = new long[messages.size()];
    }

    ConfirmWindow window() {
        return window;
    }

    DelayMessage message(int place) {
        return messages.get(place);
    }

    /** The places whose fates are not known, in order. */
    List<Integer> open() {
        lock.lock();
        try {
            List<Integer> open = new ArrayList<>();
            for (int place = 0; place < fates.length; place++) {
                if (fates[place] == null) {
                    open.add(place);
                }
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    void set(int place, Delivery fate) {
        lock.lock();
        try {
            decide(place, fate);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes that a message with a place in the window is about to be published. Returns false if the batch has ended: it must not be published
     * then, and its place is given back.
     */
    boolean begin(long tag, int place) {
        lock.lock();
        try {
            if (ended) {
                window.leave(1);
                return false;
            }
            begunBefore.set(place, begun.get(place));
            begun.set(place);
            publishedNanos[place] = window.now();
            unanswered.put(tag, place);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the broker certainly did not take this message over the channel that is in use. */
    void notTaken(int place) {
        lock.lock();
        try {
            begun.set(place, begunBefore.get(place));
            leave(unanswered.values().remove(place) ? 1 : 0);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The broker confirmed messages, or refused to.
     *
     * @param upTo whether it answers for all messages up to this tag
     */
    void answered(long tag, boolean upTo, boolean taken) {
        lock.lock();
        try {
            Map<Long, Integer> these = upTo ? unanswered.headMap(tag, true) : unanswered.subMap(tag, true, tag, true);
            if (!these.isEmpty() && !ended) {
                int first = these.values().iterator().next();
                window.answered(these.size(), publishedNanos[first]);
            }
            for (int place : these.values()) {
                Delivery fate = taken ? Delivery.DELIVERED : Delivery.unavailable("the broker answered basic.nack");
                decide(place, returned.getOrDefault(place, fate));
            }
            these.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The broker returned the message with this id, because no queue takes it. */
    void returned(String id, String why) {
        lock.lock();
        try {
            for (int place = begun.nextSetBit(0); place >= 0; place = begun.nextSetBit(place + 1)) {
                if (messages.get(place).id().equals(id)) {
                    returned.put(place, begunBefore.get(place) ? Delivery.unavailable(why) : Delivery.notSent(why));
                    // Qpid says nack first and returns the message then.
                    if (fates[place] != null && !ended && fates[place].kind() == Delivery.Kind.UNAVAILABLE) {
                        fates[place] = returned.get(place);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The channel or the connection is closed, so no further answer comes. The first reason counts. */
    void lost(Throwable why) {
        lock.lock();
        try {
            loss = loss == null ? why : loss;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the answers to all published messages. Returns false if some are missing and will not come: the channel is lost, or the
     * batch has ended.
     */
    boolean awaitAnswers() throws InterruptedException {
        lock.lock();
        try {
            while (!unanswered.isEmpty() && loss == null && !ended) {
                changed.await();
            }
            return unanswered.isEmpty() && loss == null;
        } finally {
            lock.unlock();
        }
    }

    /** The reason why the channel is closed; empty if it is open. */
    Optional<Throwable> loss() {
        lock.lock();
        try {
            return Optional.ofNullable(loss);
        } finally {
            lock.unlock();
        }
    }

    /** Whether this message was published over the channel that is in use, and has no answer. */
    boolean isUnanswered(int place) {
        lock.lock();
        try {
            return unanswered.containsValue(place);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The places of published messages without an answer, in order, after a loss. The batch is then ready for another channel. A return
     * over the lost channel says nothing of the next one, so it is forgotten.
     */
    List<Integer> startOver() {
        lock.lock();
        try {
            List<Integer> places = List.copyOf(unanswered.values());
            unanswered.clear();
            leave(places.size());
            returned.keySet().removeAll(places);
            loss = null;
            return places;
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all fates are known; false if they are not within the timeout. */
    boolean await(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (known < fates.length && left > 0) {
                left = changed.awaitNanos(left);
            }
            return known == fates.length;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the batch; the first caller decides.
     *
     * @param why the reason of all messages whose fate is still unknown; they become UNAVAILABLE, and unsent unless they were published
     */
    List<Delivery> end(String why) {
        return end(why, Delivery.notSent(why));
    }

    /**
     * As {@link #end(String)}.
     *
     * @param unsent the fate of the messages that were not published
     */
    List<Delivery> end(String why, Delivery unsent) {
        lock.lock();
        try {
            for (int place = 0; place < fates.length; place++) {
                decide(place, begun.get(place) ? Delivery.unavailable(why) : unsent);
            }
            leave(unanswered.size());
            ended = true;
            changed.signalAll();
            return List.of(fates);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the broker owes an answer. */
    boolean isAnyUnanswered() {
        lock.lock();
        try {
            return !unanswered.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Gives back places of the window, unless {@link #end} has given back those of all unanswered messages. The lock is held. */
    private void leave(int places) {
        if (!ended) {
            window.leave(places);
        }
    }

    /** What is known first counts. The lock is held. */
    private void decide(int place, Delivery fate) {
        if (!ended && fates[place] == null) {
            fates[place] = fate;
            known++;
            if (known == fates.length) {
                changed.signalAll();
            }
        }
    }
}
