package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a batch, while messages wait for the next one. */
class VerdictsTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final String TOPIC = MemoryQueue.TOPIC;

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final LeaseClock leases = new LeaseClock(System::nanoTime, LEASE);
    private final Later later = new Later();
    private final List<Claim> begun = new ArrayList<>();
    private final Topics topics = new Topics(
            term,
            new RestingTopics(
                    PausedTopics.NONE, new DifferingTopics(Map.of(), "test", true), Pulled.of(PulledTopics.NONE)),
            topic -> new TopicTraffic(
                    1, 10, UnlimitedRoom.INSTANCE, new BodyBudget(1_000), System::nanoTime, nanos -> {}),
            (topic, batch) -> begun.add(batch),
            later);
    private final Taking taking = new Taking(
            buckets,
            topics,
            new DispatchSettings(10, LEASE, 1, Pulled.of(PulledTopics.NONE)),
            leases,
            new Flights(10, 1_000, new BodyBudget(1_000)));
    private final Backoff backoff = new Backoff(Duration.ofHours(1), Duration.ofHours(1));
    private final Verdicts verdicts = new Verdicts(term, topics, taking, backoff, later, new BackingOff());

    @AfterEach
    void close() {
        later.close();
    }

    /** Otherwise its caller would take the throw for a failure of the batch, and end it once more. */
    @Test
    void aBatchEndsThoughItsTopicsMessagesCannotBeGivenBack() {
        topics.change(TOPIC, traffic -> traffic.offer(0));
        List<String> waiting = List.of(hand(0), hand(1));
        assertThat(begun).hasSize(1);
        queue.buckets().beforeNextAnswer(() -> {
            throw new LinkageError("a test");
        });

        Verdict verdict = Verdict.unavailable("not leading");
        verdicts.learn(TOPIC, "c", verdict, traffic -> traffic.ended(begun.get(0), verdict));

        topics.change(TOPIC, TopicTraffic::resume);
        assertThat(begun).as("with the next batch").hasSize(2);
        assertThat(queue.location(waiting.get(1))).isEqualTo(Location.TAKEN);
        for (int bucket = 0; bucket < waiting.size(); bucket++) {
            assertThat(buckets.isSuspect(bucket)).isTrue();
            buckets.claim(bucket);
            assertThat(queue.location(waiting.get(bucket))).isEqualTo(Location.READY);
        }
    }

    private String hand(int bucket) {
        buckets.claim(bucket);
        DelayMessage message = queue.push(queue.idIn(bucket), 0);
        assertThat(buckets.get(bucket)
                        .moveDue(1, new Handover(List.of(), 1, LEASE))
                        .taken())
                .containsExactly(message);
        assertThat(topics.hand(TOPIC, List.of(new Leased(bucket, message, leases.untilNanos()))))
                .isEmpty();
        return message.id();
    }
}
