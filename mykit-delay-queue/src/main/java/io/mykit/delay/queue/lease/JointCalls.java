package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls on several buckets in one exchange with each server. A call on leases holds the locks of its buckets, in the order of their
 * numbers, until the answers are noted. Thread-safe.
 */
final class JointCalls {
    private final MessageIndex index;
    private final TermBucket[] buckets;

    JointCalls(MessageIndex index, TermBucket[] buckets) {
        this.index = index;
        this.buckets = buckets;
    }

    /** See {@link OwnedBuckets#take}. */
    List<Take> take(Collection<Integer> from, String topic, int limit, Duration lease) {
        return locked(from, () -> {
            List<OwnedBucket> asked = owned(from);
            return asked.isEmpty() ? List.of() : noted(asked, index.take(asked, topic, limit, lease), lease);
        });
    }

    /** See {@link OwnedBuckets#moveDue}. */
    List<Answer<ScanResult>> moveDue(Collection<Integer> from, int limit, Handover handover) {
        return locked(from, () -> {
            List<OwnedBucket> asked = owned(from);
            List<Answer<ScanResult>> answers = answers(from, asked, some -> index.moveDue(some, limit, handover));
            answers.forEach(answer -> noteFailure(asked, answer));
            return answers.stream()
                    .map(answer -> answer.with(result ->
                            result.withTaken(ownership(answer.bucket()).note(result.taken(), handover.lease(), false))))
                    .toList();
        });
    }

    /** See {@link OwnedBuckets#nextDue}. */
    List<Answer<Long>> nextDue(Collection<Integer> from) {
        List<OwnedBucket> asked = owned(from);
        List<Answer<Long>> answers = answers(from, asked, index::nextDue);
        answers.stream()
                .filter(answer -> answer.failure() instanceof NotOwnedException)
                .forEach(answer -> noteFailure(asked, answer));
        return answers;
    }

    /** See {@link OwnedBuckets#settle}. */
    void settle(Map<Integer, List<String>> ids) {
        if (ids.isEmpty()) {
            return;
        }
        Failures failures = new Failures();
        locked(ids.keySet(), () -> {
            // Before the call: once Redis has forgotten them, another batch may take messages with these ids.
            ids.forEach((bucket, some) -> ownership(bucket).forget(some));
            Map<Integer, List<String>> own = withoutLeft(ids, failures);
            List<OwnedBucket> asked = owned(own.keySet());
            List<List<String>> each =
                    asked.stream().map(bucket -> own.get(bucket.bucket())).toList();
            for (Answer<Void> answer : answers(own.keySet(), asked, some -> index.settle(some, each))) {
                if (answer.failure() == null) {
                    ownership(answer.bucket()).doubt().ended(ids.get(answer.bucket()));
                } else {
                    noteFailure(asked, answer);
                    failures.met(answer.failure());
                }
            }
            return null;
        });
        failures.rethrow();
    }

    /** Forgets messages that the term has left, and returns the others. */
    private Map<Integer, List<String>> withoutLeft(Map<Integer, List<String>> ids, Failures failures) {
        Map<Integer, List<String>> own = new TreeMap<>();
        ids.forEach((bucket, some) -> {
            LeftMessages left = buckets[bucket].known().left();
            if (left == null) {
                own.put(bucket, some);
                return;
            }
            try {
                left.settle(some);
            } catch (RuntimeException e) {
                failures.met(e);
            }
        });
        return own;
    }

    private Ownership ownership(int bucket) {
        return buckets[bucket].ownership();
    }

    private <T> T locked(Collection<Integer> some, Supplier<T> call) {
        List<Ownership> inOrder =
                new TreeSet<>(some).stream().map(this::ownership).toList();
        inOrder.forEach(bucket -> bucket.lock().lock());
        try {
            return call.get();
        } catch (Error e) {
            // The scripts may have taken messages that nobody notes.
            inOrder.forEach(Ownership::suspect);
            throw e;
        } finally {
            inOrder.forEach(bucket -> bucket.lock().unlock());
        }
    }

    /** The index's own buckets that are owned now, in the order of their numbers. */
    private List<OwnedBucket> owned(Collection<Integer> some) {
        return new TreeSet<>(some)
                .stream()
                        .map(bucket -> ownership(bucket).raw())
                        .filter(bucket -> bucket != null)
                        .toList();
    }

    /** The answers of all these buckets, in the order of their numbers. A bucket that is not owned is not called. */
    private static <T> List<Answer<T>> answers(
            Collection<Integer> some, List<OwnedBucket> owned, Function<List<OwnedBucket>, List<Answer<T>>> call) {
        Map<Integer, Answer<T>> answers = new TreeMap<>();
        some.forEach(bucket -> answers.put(bucket, Answer.failed(bucket, new BucketLostException(bucket))));
        if (!owned.isEmpty()) {
            call.apply(owned).forEach(answer -> answers.put(answer.bucket(), answer));
        }
        return List.copyOf(answers.values());
    }

    private void noteFailure(List<OwnedBucket> asked, Answer<?> answer) {
        if (answer.failure() != null) {
            asked.stream()
                    .filter(bucket -> bucket.bucket() == answer.bucket())
                    .forEach(bucket -> ownership(answer.bucket()).failed(bucket, answer.failure()));
        }
    }

    private List<Take> noted(List<OwnedBucket> asked, List<Take> takes, Duration lease) {
        List<Take> taken = new ArrayList<>(takes.size());
        Failures failures = new Failures();
        for (int i = 0; i < takes.size(); i++) {
            Take take = takes.get(i);
            List<DelayMessage> fresh = ownership(take.bucket()).noteTake(asked.get(i), take, lease);
            if (take.failure() == null) {
                taken.add(Take.of(take.bucket(), fresh, take.more()));
            } else {
                failures.met(take.failure());
            }
        }
        failures.rethrow();
        return taken;
    }
}
