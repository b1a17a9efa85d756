package io.mykit.delay.queue.pull;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Portion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Takes messages of a topic from the ready lists of the buckets. It remembers which buckets had messages, so that most calls
 * need not ask all buckets. Thread-safe.
 */
final class ReadyLists {
    private final HoldIndex index;
    /** Buckets that probably have ready messages, by topic. */
    private final ConcurrentMap<String, Set<Integer>> probable = new ConcurrentHashMap<>();

    private final AtomicInteger turns = new AtomicInteger();

    ReadyLists(HoldIndex index) {
        this.index = index;
    }

    /** Notes that this bucket got messages of the topic. */
    void note(int bucket, String topic) {
        probable.computeIfAbsent(topic, name -> ConcurrentHashMap.newKeySet()).add(bucket);
    }

    /** Forgets a topic that no consumer pulls now. */
    void forget(String topic) {
        probable.remove(topic);
    }

    /**
     * Notes the buckets that have ready messages of these topics: one call per bucket, however many topics there are.
     *
     * @return the topics among them that have messages
     * @throws IndexUnavailableException if no bucket answers
     */
    Set<String> noteReady(Predicate<String> wanted) {
        Set<String> ready = new TreeSet<>();
        index.readyTopics()
                .forEach((bucket, topics) -> topics.stream().filter(wanted).forEach(topic -> {
                    note(bucket, topic);
                    ready.add(topic);
                }));
        return ready;
    }

    /**
     * Hands out messages. The messages of one bucket are in order; those of several buckets are not.
     *
     * @param whole the bounds for all buckets together
     * @param everywhere whether to ask the buckets, too, of which it is not known that they have messages
     * @throws IndexUnavailableException if there are none, and a bucket did not answer
     */
    Taken handOut(String topic, Portion whole, boolean everywhere, Duration hold, String receipt) {
        Taking taking = new Taking(topic, whole, hold, receipt);
        Set<Integer> first = probable.remove(topic);
        if (first != null) {
            taking.from(first);
        }
        if (everywhere && !taking.isFull()) {
            taking.from(nonEmpty(topic));
        }
        return taking.result();
    }

    /**
     * Messages that were handed out.
     *
     * @param full whether the bounds ended the hand-out: there may be more messages
     */
    record Taken(List<Handout> handouts, boolean full) {}

    private Collection<Integer> nonEmpty(String topic) {
        try {
            return index.ready(topic).keySet();
        } catch (IndexUnavailableException e) {
            Set<Integer> silent = e.buckets();
            List<Integer> others = IntStream.range(0, index.buckets())
                    .filter(bucket -> !silent.contains(bucket))
                    .boxed()
                    .toList();
            if (silent.isEmpty() || others.isEmpty()) {
                throw e;
            }
            return others;
        }
    }

    /** The buckets in order, from another one each time, so that no bucket is always the last. */
    private Deque<Integer> inTurn(Collection<Integer> buckets) {
        List<Integer> inOrder = List.copyOf(new TreeSet<>(buckets));
        Deque<Integer> turn = new ArrayDeque<>();
        int start = Math.floorMod(turns.getAndIncrement(), inOrder.size());
        turn.addAll(inOrder.subList(start, inOrder.size()));
        turn.addAll(inOrder.subList(0, start));
        return turn;
    }

    /** One hand-out. Used by one thread. */
    private final class Taking {
        private final String topic;
        private final Portion whole;
        private final Duration hold;
        private final String receipt;
        private final List<Handout> taken = new ArrayList<>();
        private int left;
        private long room;
        /** The next message does not fit into the room that is left. */
        private boolean tooLarge;

        private RuntimeException failure;

        Taking(String topic, Portion whole, Duration hold, String receipt) {
            this.topic = topic;
            this.whole = whole;
            this.hold = hold;
            this.receipt = receipt;
            this.left = whole.messages();
            this.room = whole.bytes();
        }

        boolean isFull() {
            return left == 0 || tooLarge;
        }

        void from(Collection<Integer> buckets) {
            if (buckets.isEmpty()) {
                return;
            }
            Deque<Integer> turn = inTurn(buckets);
            int together = turn.size();
            while (!isFull() && !turn.isEmpty()) {
                int asked = Math.min(Math.min(left, together), turn.size());
                List<Integer> some = new ArrayList<>();
                for (int i = 0; i < asked; i++) {
                    some.add(turn.poll());
                }
                Portion rest = new Portion(left, (int) Math.max(0, room), whole.atLeastOne() && taken.isEmpty());
                int before = left;
                boolean more = false;
                for (Handout handout : index.handOut(some, topic, rest.ofEach(asked), hold, receipt)) {
                    more |= add(handout, turn);
                }
                if (more && left == before) {
                    // The messages are larger than the part of one bucket. One bucket alone has the whole room.
                    together = 1;
                    // If the first message must come whatever its size, the entries were those of purged messages.
                    tooLarge = asked == 1 && !rest.atLeastOne();
                }
            }
            turn.forEach(bucket -> note(bucket, topic));
        }

        /** Returns whether the bucket has more messages. */
        private boolean add(Handout handout, Deque<Integer> turn) {
            if (handout.failure() != null) {
                failure = handout.failure();
                return false;
            }
            if (!handout.messages().isEmpty()) {
                left -= handout.messages().size();
                room -= handout.messages().stream()
                        .mapToLong(DelayMessage::characters)
                        .sum();
                taken.add(handout);
            }
            if (handout.more()) {
                turn.add(handout.bucket());
            }
            return handout.more();
        }

        Taken result() {
            if (taken.isEmpty() && failure != null) {
                throw failure;
            }
            return new Taken(taken, isFull());
        }
    }
}
