package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.delivery.Delivery;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.lease.StubIndex;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    private final StubIndex stub = new StubIndex().answer("found", arguments -> ClaimResult.HELD);
    private final OwnedBuckets buckets = new OwnedBuckets(stub.index(), term);
    private final TermIndex index = new TermIndex(stub.index(), buckets);
    private final DispatchMeters meters = new DispatchMeters(new SimpleMeterRegistry());
    private final StoreBreaker breaker = new StoreBreaker(System::nanoTime);
    private final MessageStore store = (MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(),
            new Class<?>[] {MessageStore.class},
            (proxy, method, arguments) -> method.getName().equals("states") ? states() : Set.of());
    private final OutcomeWriter writer = new OutcomeWriter(new OutcomeRecord(store, index, breaker, meters));
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
            () -> Instant.ofEpochMilli(1000),
            new Gate(store, breaker),
            new Sending(
                    () -> Instant.ofEpochMilli(1000),
                    new Backoff(Duration.ofMillis(1), Duration.ofMillis(2)),
                    3,
                    meters),
            writer,
            LEASE);
    private MessageStatus status = MessageStatus.DELAY;
    private boolean away;

    @BeforeEach
    void claim() {
        buckets.claim(0);
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
        assertThat(buckets.isSuspect(0)).as("is given back").isTrue();
    }

    @Test
    void looksAtTheRowsAgainIfItWasHeldUpAfterIt() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        status = MessageStatus.DELETE;
        assertThat(delivery.deliver(channel, "t", batch).isUnavailable()).isFalse();
        assertThat(sent).isEmpty();
        assertThat(stub.calls("settle")).isEqualTo(1);
    }

    @Test
    void sendsNothingIfItWasHeldUpAndLeadsNoMore() {
        BatchDelivery.Batch batch = heldUp(delivery.admit(taken(LEASE)));
        registryKnowsIt.set(false);
        assertThat(delivery.deliver(channel, "t", batch).why()).contains("leads");
        assertThat(sent).isEmpty();
        assertThat(stub.calls("settle")).isZero();
    }

    @Test
    void withoutTheStoreEverythingPasses() {
        away = true;
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    @Test
    void withoutTheStoreNothingPassesFromABucketThatCameBackOlder() {
        stub.answer("found", arguments -> ClaimResult.OLDER);
        buckets.claim(0);
        away = true;
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).why())
                .contains("older");
        assertThat(sent).isEmpty();
        assertThat(stub.calls("release")).isEqualTo(1);
        buckets.get(0).markCompared();
        assertThat(delivery.deliver(channel, "t", delivery.admit(taken(LEASE))).isUnavailable())
                .isFalse();
        assertThat(sent).hasSize(1);
    }

    private List<RowState> states() {
        if (away) {
            throw new StoreUnavailableException("away", null);
        }
        return List.of(new RowState("m", 0, status, 0, 0, 0, 0));
    }

    private static BatchDelivery.Batch heldUp(BatchDelivery.Batch batch) {
        long before = batch.lookedNanos() - Duration.ofSeconds(2).toNanos();
        return new BatchDelivery.Batch(batch.open(), batch.outcomes(), before, batch.heldBack());
    }

    private static List<Leased> taken(Duration lease) {
        DelayMessage message = new DelayMessage("m", "t", "", "", "body", 0, 0, 0, 0, 0);
        return List.of(new Leased(0, message, System.nanoTime() + lease.toNanos()));
    }
}
