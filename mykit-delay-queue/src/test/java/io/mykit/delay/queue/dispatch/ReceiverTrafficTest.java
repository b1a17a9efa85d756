package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The batches of a topic whose receiver has few places. */
class ReceiverTrafficTest {
    private static final int BATCH = 10;

    private int places;
    private boolean busy;
    private boolean memory = true;
    private long nowNanos;
    private long tickNanos;

    @Test
    void batchesTakeNoMoreThanThePlaces() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        places = 3;
        traffic.offerMore(1);
        traffic.offerMore(2);
        Claim deep = collected(traffic);
        assertThat(deep.perBucket()).isEqualTo(3);
        assertThat(traffic.next()).as("all places are reserved").isNull();
        assertThat(traffic.isHeld()).isTrue();
        traffic.complete(deep, 1);
        assertThat(collected(traffic).perBucket()).isEqualTo(2);
    }

    @Test
    void gatheringBatchTakesFromAsManyBucketsAsThereArePlaces() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        places = 3;
        IntStream.range(0, 5).forEach(traffic::offer);
        Claim batch = collected(traffic);
        assertThat(batch.buckets()).containsExactly(0, 1, 2);
        assertThat(batch.perBucket()).isEqualTo(1);
    }

    @Test
    void batchOfAReceiverWithManyPlacesTakesFromAllBuckets() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        places = 100;
        IntStream.range(0, 50).forEach(traffic::offer);
        assertThat(collected(traffic).buckets()).hasSize(50);
    }

    @Test
    void fullReceiverTakesNothingFromTheScanners() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        busy = true;
        assertThat(traffic.hand(List.of(leased("a")))).hasSize(1);
        traffic.offer(0);
        assertThat(traffic.next()).isNull();
        assertThat(traffic.takesMore()).isFalse();
        assertThat(traffic.nextLook()).as("the end of a message is awaited").isNull();
        places = 2;
        assertThat(collected(traffic).perBucket()).isEqualTo(2);
        assertThat(traffic.takesMore()).isTrue();
    }

    @Test
    void idleTopicSendsOneMessage() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        traffic.offerMore(1);
        Claim batch = collected(traffic);
        assertThat(batch.perBucket()).isEqualTo(1);
        busy = true;
        traffic.ended(batch, Verdict.UNKNOWN);
        traffic.offerMore(1);
        assertThat(traffic.next()).isNull();
        busy = false;
        assertThat(collected(traffic).perBucket()).isEqualTo(1);
    }

    @Test
    void idleTopicWithoutMemoryIsLookedAtAgain() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        memory = false;
        traffic.offerMore(1);
        assertThat(traffic.next()).isNull();
        assertThat(traffic.hand(List.of(leased("a")))).hasSize(1);
        NextLook.At look = traffic.nextLook();
        assertThat(look.afterNanos()).isEqualTo(ReceiverRoom.MEMORY_LOOK_NANOS);
        assertThat(traffic.nextLook()).as("one look is on its way").isNull();
        traffic.look(look);
        memory = true;
        assertThat(collected(traffic).perBucket()).isEqualTo(1);
        assertThat(traffic.nextLook()).isNull();
    }

    @Test
    void limitsAndPlacesBothCount() {
        TopicTraffic traffic = traffic(new LimitedRoom(new TopicLimits(0, 4), 0, () -> nowNanos));
        places = 2;
        traffic.offer(1);
        Claim batch = collected(traffic);
        assertThat(batch.perBucket()).isEqualTo(2);
        traffic.complete(batch, 2);
        traffic.sent(batch, 2);
        traffic.ended(batch, Verdict.UNKNOWN);
        busy = true;
        places = 10;
        traffic.offer(1);
        assertThat(collected(traffic).perBucket())
                .as("of four, two are in flight")
                .isEqualTo(2);
    }

    /** They name their receivers, so the channel has places for the topic. */
    @Test
    void messagesWithoutAPlaceSlowTheirTopicDown() {
        places = Integer.MAX_VALUE;
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE, 200);
        traffic.offerMore(1);
        Claim first = collected(traffic);
        assertThat(first.perBucket()).isEqualTo(200);
        traffic.ended(first, Verdict.UNKNOWN);
        traffic.full(40);
        traffic.offerMore(1);
        assertThat(traffic.next()).as("at once").isNull();
        NextLook.At look = traffic.nextLook();
        assertThat(look.afterNanos()).isEqualTo(40 * FullPace.EACH_NANOS);

        nowNanos += look.afterNanos();
        traffic.look(look);
        Claim small = collected(traffic);
        assertThat(small.perBucket()).isEqualTo(FullPace.TOGETHER);
        traffic.offerMore(2);
        assertThat(traffic.next()).as("beside it").isNull();
        traffic.ended(small, Verdict.UNKNOWN);
        nowNanos += 40 * FullPace.EACH_NANOS;
        assertThat(collected(traffic).perBucket()).as("all found a place").isEqualTo(200);
    }

    /** The rest ends between two looks at the clock, whichever they are. */
    @Test
    void topicWhoseRestEndsMeanwhileBeginsABatchOrIsLookedAtAgain() {
        places = Integer.MAX_VALUE;
        for (int reads = 0; reads < 20; reads++) {
            TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
            traffic.full(1);
            traffic.offer(1);
            nowNanos += FullPace.EACH_NANOS - reads;
            tickNanos = 1;
            assertThat(traffic.next() != null || traffic.nextLook() != null)
                    .as("a rest that ends after %d looks at the clock", reads)
                    .isTrue();
            tickNanos = 0;
        }
    }

    /** Memory of other topics becomes free between two looks at it. */
    @Test
    void topicThatGetsMemoryMeanwhileIsLookedAtAgain() {
        TopicTraffic traffic = traffic(UnlimitedRoom.INSTANCE);
        memory = false;
        traffic.offerMore(1);
        assertThat(traffic.next()).isNull();
        memory = true;
        assertThat(traffic.nextLook()).isNotNull();
    }

    @Test
    void restsOfATopicAddUpToASecond() {
        FullPace pace = new FullPace(() -> nowNanos);
        assertThat(pace.most()).isEqualTo(Integer.MAX_VALUE);
        pace.full(400);
        nowNanos += 100 * FullPace.EACH_NANOS;
        pace.full(300);
        assertThat(pace.leftNanos()).isEqualTo(600 * FullPace.EACH_NANOS);
        pace.full(1_000_000);
        assertThat(pace.leftNanos()).isEqualTo(1_000 * FullPace.EACH_NANOS);
        assertThat(pace.most()).isZero();
    }

    private TopicTraffic traffic(TopicRoom limits) {
        return traffic(limits, BATCH);
    }

    private TopicTraffic traffic(TopicRoom limits, int batch) {
        TopicRoom room = new ReceiverRoom(
                limits,
                new ReceiverRoom.Receiver() {
                    @Override
                    public int free() {
                        return places;
                    }

                    @Override
                    public boolean isBusy() {
                        return busy;
                    }

                    @Override
                    public boolean hasMemory() {
                        return memory;
                    }
                },
                this::nanoTime);
        return new TopicTraffic(4, batch, room, new BodyBudget(1_000), this::nanoTime, nanos -> {});
    }

    private long nanoTime() {
        return nowNanos += tickNanos;
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
