package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The batches of a topic with a rate or a maximum of messages in flight. */
class LimitedTrafficTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_IN_FLIGHT = 3;
    private static final int BATCH = 10;

    private static final BodyBudget HANDED = new BodyBudget(Long.MAX_VALUE / 2);

    private long nowNanos;

    @Test
    void batchTakesAsManyMessagesAsThereAreTokens() {
        TopicTraffic traffic = traffic(4, 0);
        pass(1000);
        offer(traffic, 6);
        Claim batch = collected(traffic);
        assertThat(batch.buckets()).containsExactly(0, 1, 2, 3);
        assertThat(batch.perBucket()).isEqualTo(1);
        traffic.complete(batch, 4);
        assertThat(traffic.next()).isNull();
        traffic.sent(batch, 4);
        assertThat(traffic.isHeld()).isTrue();
        assertThat(traffic.nextLook().afterNanos()).isEqualTo(250 * MS);
        pass(250);
        Claim next = collected(traffic);
        assertThat(next.buckets()).containsExactly(4);
    }

    @Test
    void aPulledTopicHasNoLimitsForTheLeader() {
        DeliveryConfig config = ConfigLoader.load(Map.of("mykit.delay.delivery.policy.\"*\".rate", "1"))
                .delivery();
        AtomicReference<PulledTopics> rules = new AtomicReference<>(PulledTopics.of(Map.of("t", true), false));
        Pulled pulled = new Pulled() {
            @Override
            public boolean contains(String topic) {
                return now().contains(topic);
            }

            @Override
            public PulledTopics now() {
                return rules.get();
            }

            @Override
            public int version() {
                return now().hashCode();
            }
        };
        LiveLimits limits = LiveLimits.of(new TopicPolicies(config.policy()), pulled);
        DispatchSettings settings = new DispatchSettings(BATCH, Duration.ofMinutes(1), 16, pulled);
        TopicTraffic traffic = new NewTraffic(settings, limits, topic -> null, HANDED, System.nanoTime()).apply("t");
        assertThat(traffic.isLimited()).isFalse();
        rules.set(PulledTopics.NONE);
        assertThat(traffic.isLimited())
                .as("an operator gave it another channel")
                .isTrue();
    }

    @Test
    void placesThatABatchDoesNotUseAreFreeAgain() {
        TopicTraffic traffic = traffic(0, 5);
        traffic.offer(1);
        Claim batch = collected(traffic);
        assertThat(batch.perBucket()).isEqualTo(5);
        traffic.complete(batch, 2);
        traffic.offer(2);
        Claim next = collected(traffic);
        assertThat(next.perBucket()).isEqualTo(3);
        traffic.ended(next, Verdict.UNKNOWN);
        traffic.sent(batch, 2);
        traffic.answered(2);
        traffic.ended(batch, Verdict.USABLE);
        assertThat(traffic.isIdle()).isTrue();
    }

    @Test
    void messagesInFlightKeepTheirPlacesAfterTheirBatch() {
        TopicTraffic traffic = traffic(0, 2);
        traffic.offer(1);
        Claim batch = collected(traffic);
        traffic.complete(batch, 2);
        traffic.sent(batch, 2);
        traffic.ended(batch, Verdict.UNKNOWN);
        assertThat(traffic.isIdle()).isFalse();
        traffic.offer(1);
        assertThat(traffic.next()).isNull();
        assertThat(traffic.nextLook())
                .as("an answer makes a place free, no time does")
                .isNull();
        traffic.answered(1);
        assertThat(collected(traffic).perBucket()).isEqualTo(1);
    }

    @Test
    void aBatchThatWaitsIsNotSentWithTheTokensOfTwoSeconds() {
        TopicTraffic traffic = traffic(2, 0);
        pass(1000);
        traffic.offer(1);
        Claim slow = collected(traffic);
        traffic.complete(slow, 2);
        pass(5000);
        traffic.sent(slow, 2);
        traffic.offer(1);
        assertThat(traffic.next()).as("both tokens were used just now").isNull();
    }

    @Test
    void bucketsOfABacklogTakeTurns() {
        TopicTraffic traffic = traffic(0, 1);
        offer(traffic, 3);
        List<Integer> turns = IntStream.range(0, 6)
                .mapToObj(i -> {
                    Claim batch = collected(traffic);
                    traffic.offerMore(batch.buckets().get(0));
                    traffic.ended(batch, Verdict.USABLE);
                    return batch.buckets().get(0);
                })
                .toList();
        assertThat(turns).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void scannersHandOverOnlyWhatHasAPlace() {
        TopicTraffic traffic = traffic(0, 2);
        assertThat(traffic.takesMore()).isTrue();
        List<Leased> three = List.of(leased("a"), leased("b"), leased("c"));
        assertThat(traffic.hand(three)).extracting(Leased::id).containsExactly("c");
        assertThat(traffic.takesMore()).isFalse();
        traffic.offer(0);
        Claim batch = collected(traffic);
        assertThat(batch.handed()).hasSize(2);
        assertThat(batch.buckets()).isEmpty();
        traffic.ended(batch, Verdict.unavailable("broker away"));
        traffic.resume();
        assertThat(collected(traffic).perBucket()).as("probe").isEqualTo(1);
    }

    @Test
    void oneLookIsOnItsWay() {
        TopicTraffic traffic = traffic(10, 0);
        traffic.offer(1);
        assertThat(traffic.next()).isNull();
        NextLook.At look = traffic.nextLook();
        assertThat(look.afterNanos()).isEqualTo(100 * MS);
        pass(50);
        traffic.offer(2);
        assertThat(traffic.nextLook()).isNull();
        pass(50);
        traffic.look(look);
        Claim batch = collected(traffic);
        traffic.sent(batch, 1);
        traffic.ended(batch, Verdict.USABLE);
        assertThat(traffic.nextLook().afterNanos()).isEqualTo(100 * MS);
    }

    @Test
    void topicIsForgottenWhenItsBucketIsFull() {
        TopicTraffic traffic = traffic(10, 0);
        pass(1000);
        traffic.offer(1);
        Claim batch = collected(traffic);
        traffic.sent(batch, 1);
        traffic.answered(1);
        traffic.ended(batch, Verdict.USABLE);
        assertThat(traffic.isIdle()).isFalse();
        NextLook.At look = traffic.nextLook();
        assertThat(look.afterNanos()).isEqualTo(100 * MS);
        pass(100);
        traffic.look(look);
        assertThat(traffic.isIdle()).isTrue();
        assertThat(traffic.nextLook())
                .as("a look would begin the next one, for ever")
                .isNull();
    }

    @Test
    void limitsChangeWhileMessagesAreInFlight() {
        AtomicReference<TopicLimits> limits = new AtomicReference<>(TopicLimits.NONE);
        AtomicInteger version = new AtomicInteger();
        LimitedRoom room = new LimitedRoom(limits::get, version::get, 0, () -> nowNanos);
        assertThat(room.isLimited()).isFalse();
        room.reserve(5);
        room.cancel(5);
        assertThat(room.nanosUntilWhole()).isZero();

        limits.set(new TopicLimits(0, 3));
        assertThat(room.isLimited()).as("before the notice").isFalse();
        version.incrementAndGet();
        assertThat(room.isLimited()).isTrue();
        room.reserve(3);
        room.sent(3);
        assertThat(room.free()).isZero();

        limits.set(new TopicLimits(10, 2));
        version.incrementAndGet();
        assertThat(room.free()).as("one more in flight than allowed now").isNegative();
        room.answered(2);
        assertThat(room.free()).as("another rate begins with an empty bucket").isZero();
        pass(100);
        assertThat(room.free()).isEqualTo(1);

        limits.set(TopicLimits.NONE);
        version.incrementAndGet();
        assertThat(room.free()).isPositive();
        assertThat(room.nanosUntilWhole())
                .as("a message in flight is still counted")
                .isNegative();
        room.answered(1);
        assertThat(room.nanosUntilWhole()).isZero();
    }

    private TopicTraffic traffic(double rate, int concurrency) {
        return new TopicTraffic(
                MAX_IN_FLIGHT,
                BATCH,
                new LimitedRoom(new TopicLimits(rate, concurrency), 0, () -> nowNanos),
                HANDED,
                () -> nowNanos,
                nanos -> nowNanos += nanos);
    }

    private void pass(long ms) {
        nowNanos += ms * MS;
    }

    private static void offer(TopicTraffic traffic, int buckets) {
        IntStream.range(0, buckets).forEach(traffic::offer);
    }

    private static Claim collected(TopicTraffic traffic) {
        Claim batch = traffic.next();
        batch.collect();
        return batch;
    }

    private static Leased leased(String id) {
        return new Leased(0, MessageBuilder.withId(id).body("body").build(), 0);
    }
}
