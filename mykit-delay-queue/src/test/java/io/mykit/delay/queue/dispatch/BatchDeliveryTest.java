package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.Transition;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is between the look at the rows and the send. */
class BatchDeliveryTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<String> sent = new ArrayList<>();
    private final AtomicBoolean registryKnowsIt = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(1, () -> {}, registryKnowsIt::get);
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final int bucket = queue.index().bucketOf("m");
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final TermIndex index = new TermIndex(queue.index(), buckets);
    private final DispatchMeters meters = new DispatchMeters(new SimpleMeterRegistry());
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime);
    private final MessageStore store = queue.store();
    private final OutcomeWriter writer =
            new OutcomeWriter(new OutcomeCommit(store, index, breaker, meters, DeadCopies.NONE));
    private final DeliveryChannel channel = (DeliveryChannel) Proxy.newProxyInstance(
            DeliveryChannel.class.getClassLoader(),
            new Class<?>[] {DeliveryChannel.class},
            (proxy, method, arguments) -> {
                sent.add((String) arguments[0]);
                return List.of(Delivery.DELIVERED);
            });
    private final BatchDelivery delivery = new BatchDelivery(
            term,
            store,
            index,
            queue.clock(),
            new Gate(store, breaker),
            new Sending(queue.clock(), new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)), 3, meters),
            writer,
            LEASE);
    private DelayMessage message;

    @BeforeEach
    void take() {
        message = queue.push("m", 0);
        buckets.claim(bucket);
        Handover handover = new Handover(List.of(), 1, LEASE);
        assertThat(buckets.get(bucket).moveDue(1, handover).taken()).containsExactly(message);
    }

    @AfterEach
    void close() {
        writer.close();
    }

    @Test
    void sendsWhatWasLookedAtJustNow() {
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    /** The batch waited for a thread, or the process was frozen. */
    @Test
    void doesNotSendWhatCannotBeSentBeforeItsLeaseEnds() {
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE.dividedBy(6))))
                        .isUnavailable())
                .isFalse();
        assertThat(sent).isEmpty();
        assertThat(buckets.isSuspect(bucket)).as("is given back").isTrue();
    }

    @Test
    void looksAtTheRowsAgainIfItWasHeldUpAfterIt() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        Transition.Step cancelled = new Transition.Step(MessageStatus.DELETE, 0);
        queue.store().move(List.of(new Transition("m", 0, MessageStatus.DELAY, List.of(cancelled), "test", 0)));
        assertThat(delivery.deliver(channel, "t", batch).isUnavailable()).isFalse();
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void sendsNothingIfItWasHeldUpAndLeadsNoMore() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        registryKnowsIt.set(false);
        assertThat(delivery.deliver(channel, "t", batch).why()).contains("leads");
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.TAKEN);
    }

    @Test
    void withoutTheStoreEverythingPasses() {
        queue.store().goAway();
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    @Test
    void withoutTheStoreNothingPassesFromABucketThatCameBackOlder() {
        buckets.get(bucket).markRestored();
        queue.buckets().restartServer();
        buckets.claim(bucket);
        queue.store().goAway();
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).why())
                .contains("older");
        assertThat(sent).isEmpty();
        assertThat(queue.location("m")).isEqualTo(Location.READY);
        buckets.get(bucket).markCompared();
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    private static BatchDelivery.Batch heldUp(BatchDelivery.Batch batch) {
        long before = batch.lookedNanos() - Duration.ofSeconds(2).toNanos();
        return new BatchDelivery.Batch(batch.open(), batch.outcomes(), before, batch.heldBack());
    }

    private List<Leased> taken(Duration lease) {
        return List.of(new Leased(bucket, message, System.nanoTime() + lease.toNanos()));
    }
}
