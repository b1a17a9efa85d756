package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The bounds for the bodies of all topics together. */
class BodiesInFlightTest {
    private static final int BUCKETS = 8;
    private static final int BATCH = 100;

    private final BodyBudget all = new BodyBudget(1_000);
    private final Flights flights = new Flights(100, 600, all);

    @Test
    void topicsTakeOnlyAsManyMessagesAsAllHaveMemoryFor() {
        Claim first = claim(100);
        TakenBodies ofFirst = new TakenBodies(all, true);
        assertThat(flights.allow("a", first, List.of(), ofFirst))
                .as("600 for a topic")
                .hasSize(2);
        assertThat(first.buckets()).hasSize(6);
        assertThat(first.perBucket()).isEqualTo(1);

        Claim second = claim(100);
        TakenBodies ofSecond = new TakenBodies(all, true);
        flights.allow("b", second, List.of(), ofSecond);
        assertThat(second.buckets()).as("400 are left").hasSize(4);

        Claim third = claim(100);
        flights.allow("c", third, List.of(), new TakenBodies(all, true));
        assertThat(third.buckets()).as("no topic starves").hasSize(1);
        assertThat(third.perBucket()).isEqualTo(1);

        Claim fourth = claim(100);
        flights.allow("d", fourth, List.of(leased("handed", 1)), new TakenBodies(all, true));
        assertThat(fourth.buckets()).as("it has a message").isEmpty();
        ofFirst.close();
        ofSecond.close();
        assertThat(flights.free("e")).isEqualTo(600);
    }

    @Test
    void topicsThatHaveNothingShareAReserve() {
        for (int topic = 0; topic < 8; topic++) {
            Claim claim = claim(400);
            flights.allow("t" + topic, claim, List.of(), new TakenBodies(all, true));
            assertThat(claim.buckets().size())
                    .as("2,000 for all: topic %s", topic)
                    .isEqualTo(topic < 5 ? 1 : 0);
        }
        assertThat(flights.hasReserve()).isFalse();
    }

    @Test
    void handedMessagesOfManyTopicsShareAReserve() {
        for (int topic = 0; topic < 8; topic++) {
            Handed handed = new Handed(all);
            boolean takes = topic < 5;
            assertThat(handed.places(3) > 0).as("topic %s", topic).isEqualTo(takes);
            assertThat(handed.isBelow(BATCH)).isEqualTo(takes);
            if (takes) {
                handed.add(List.of(leased("x" + topic, 400)));
            }
        }
    }

    @Test
    void batchOfSmallMessagesIsNotChanged() {
        Claim batch = claim(1);
        assertThat(flights.allow("a", batch, List.of(), new TakenBodies(all, true)))
                .isEmpty();
        assertThat(batch.buckets()).hasSize(BUCKETS);
        assertThat(batch.perBucket()).isEqualTo(BATCH / BUCKETS);
    }

    @Test
    void channelsThatWaitForTheirBatchesAreNotCounted() {
        TakenBodies bodies = new TakenBodies(all, false);
        assertThat(flights.allow("a", claim(100_000), List.of(leased("x", 500)), bodies))
                .isEmpty();
        bodies.count(List.of(leased("x", 5_000)));
        assertThat(all.free()).isEqualTo(1_000);
    }

    @Test
    void bodiesInFlightCountUntilTheirFates() {
        List<Leased> messages = List.of(leased("x", 300), leased("y", 400));
        Flight flight = new Flight(
                new Outlet(null, null, "a"),
                messages,
                new BatchOutcomes(0, Gate.Passage.unchecked(messages)),
                new LeaseClock(System::nanoTime, Duration.ofMinutes(1)),
                null);
        flights.begun(flight, false, verdict -> {});
        assertThat(flights.isBusy("a")).isTrue();
        assertThat(flights.free("a")).isEqualTo(-100);
        assertThat(flights.free("b")).isEqualTo(300);
    }

    @Test
    void sizesFollowTheLastBatches() {
        BodySizes sizes = new BodySizes();
        sizes.saw(10);
        assertThat(sizes.expected()).as("the first batch").isEqualTo(10);
        sizes.saw(1_000_000);
        sizes.saw(10);
        assertThat(sizes.expected()).isEqualTo(875_000);
    }

    @Test
    void handedMessagesOfAllTopicsShareABound() {
        Handed first = new Handed(all);
        Handed second = new Handed(all);
        assertThat(first.places(5)).isEqualTo(5);
        first.add(List.of(leased("x", 1_000)));
        assertThat(first.places(5)).isZero();
        assertThat(first.isBelow(BATCH)).isFalse();
        assertThat(second.places(5)).as("no topic starves").isEqualTo(1);
        assertThat(second.isBelow(BATCH)).isTrue();
        second.add(List.of(leased("y", 1)));
        assertThat(second.places(5)).isZero();
        first.remove(BATCH);
        assertThat(second.places(5)).isEqualTo(5);
    }

    private static Claim claim(long characters) {
        BodySizes sizes = new BodySizes();
        sizes.saw(characters);
        Claim claim = new Claim(batch -> {}, true, false, false, sizes);
        claim.fill(List.of(), IntStream.range(0, BUCKETS).boxed().toList(), BATCH / BUCKETS);
        return claim;
    }

    private static Leased leased(String id, int characters) {
        return new Leased(
                0, MessageBuilder.withId(id).body("b".repeat(characters)).build(), 0);
    }
}
