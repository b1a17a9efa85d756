package io.mykit.delay.queue.pull;

import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
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
     * Hands out at most {@code count} messages. The messages of one bucket are in order; those of several buckets are not.
     *
     * @throws IndexUnavailableException if there are none, and a bucket did not answer
     */
    List<Handout> handOut(String topic, int count, Duration hold, String receipt) {
        Taking taking = new Taking(topic, hold, receipt, count);
        Set<Integer> first = probable.remove(topic);
        if (first != null) {
            taking.from(first);
        }
        if (taking.left > 0) {
            taking.from(nonEmpty(topic));
        }
        return taking.result();
    }

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

    /** One order. Used by one thread. */
    private final class Taking {
        private final String topic;
        private final Duration hold;
        private final String receipt;
        private final List<Handout> taken = new ArrayList<>();
        private int left;
        private RuntimeException failure;

        Taking(String topic, Duration hold, String receipt, int count) {
            this.topic = topic;
            this.hold = hold;
            this.receipt = receipt;
            this.left = count;
        }

        void from(Collection<Integer> buckets) {
            if (buckets.isEmpty()) {
                return;
            }
            Deque<Integer> turn = inTurn(buckets);
            while (left > 0 && !turn.isEmpty()) {
                int asked = Math.min(left, turn.size());
                List<Integer> some = new ArrayList<>();
                for (int i = 0; i < asked; i++) {
                    some.add(turn.poll());
                }
                for (Handout handout : index.handOut(some, topic, left / asked, hold, receipt)) {
                    add(handout, turn);
                }
            }
            turn.forEach(bucket -> note(bucket, topic));
        }

        private void add(Handout handout, Deque<Integer> turn) {
            if (handout.failure() != null) {
                failure = handout.failure();
                return;
            }
            if (!handout.messages().isEmpty()) {
                left -= handout.messages().size();
                taken.add(handout);
            }
            if (handout.more()) {
                turn.add(handout.bucket());
            }
        }

        List<Handout> result() {
            if (taken.isEmpty() && failure != null) {
                throw failure;
            }
            return taken;
        }
    }
}
