package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest {
    @Test
    void anAnswerMayStandForAllBeforeIt() throws InterruptedException {
        Batch batch = published(4);

        batch.answered(3, true, true);
        batch.answered(4, false, false);

        assertThat(batch.awaitAnswers()).isTrue();
        assertThat(batch.await(Duration.ZERO)).isTrue();
        assertThat(batch.end(""))
                .containsExactly(
                        Delivery.DELIVERED,
                        Delivery.DELIVERED,
                        Delivery.DELIVERED,
                        Delivery.unavailable("the broker answered basic.nack"));
    }

    @Test
    void aReturnedMessageIsNotDeliveredByItsConfirm() {
        Batch batch = published(2);

        batch.returned("1", "no queue");
        batch.answered(2, true, true);

        assertThat(batch.end("")).containsExactly(Delivery.DELIVERED, Delivery.notSent("no queue"));
    }

    @Test
    void aReturnThatFollowsTheNackExplainsIt() {
        Batch batch = published(1);

        batch.answered(1, false, false);
        batch.returned("0", "no queue");

        assertThat(batch.end("")).containsExactly(Delivery.notSent("no queue"));
    }

    @Test
    void whatIsNotAnsweredMayHaveArrivedAndWhatIsNotPublishedHasNot() throws InterruptedException {
        Batch batch = batch(3);
        batch.begin(1, 0);
        batch.begin(2, 1);
        batch.answered(1, false, true);

        assertThat(batch.await(Duration.ofMillis(1))).isFalse();
        assertThat(batch.end("late"))
                .containsExactly(Delivery.DELIVERED, Delivery.unavailable("late"), Delivery.notSent("late"));
    }

    @Test
    void aBatchThatHasEndedTakesNoMore() {
        Batch batch = published(1);
        batch.end("late");

        assertThat(batch.begin(2, 0)).isFalse();
        batch.answered(1, false, true);
        assertThat(batch.end("")).containsExactly(Delivery.unavailable("late"));
    }

    @Test
    void anotherChannelBeginsAfterALoss() throws InterruptedException {
        Batch batch = published(3);
        batch.answered(1, false, true);
        batch.lost(new IOException("gone"));
        batch.lost(new IOException("later"));

        assertThat(batch.awaitAnswers()).isFalse();
        assertThat(batch.loss()).map(Throwable::getMessage).contains("gone");
        assertThat(batch.startOver()).containsExactly(1, 2);
        assertThat(batch.loss()).isEmpty();
        assertThat(batch.begin(1, 1)).isTrue();
        batch.answered(1, false, true);
        batch.notTaken(2);
        assertThat(batch.end("x")).containsExactly(Delivery.DELIVERED, Delivery.DELIVERED, Delivery.notSent("x"));
    }

    @Test
    void whatAnotherChannelMayHaveBroughtIsNeverCertainlyNotSent() {
        Batch batch = published(3);
        batch.lost(new IOException("gone"));
        batch.startOver();

        batch.begin(1, 0);
        batch.notTaken(0);
        batch.begin(2, 1);
        batch.returned("1", "no queue");
        batch.answered(2, false, true);

        assertThat(batch.end("x"))
                .containsExactly(
                        Delivery.unavailable("x"), Delivery.unavailable("no queue"), Delivery.unavailable("x"));
    }

    @Test
    void aReturnCountsForItsChannelAlone() {
        Batch batch = published(2);
        batch.returned("0", "no queue");
        batch.lost(new IOException("gone"));
        batch.startOver();

        batch.begin(1, 0);
        batch.answered(1, false, true);

        assertThat(batch.end("x")).containsExactly(Delivery.DELIVERED, Delivery.unavailable("x"));
    }

    private static Batch batch(int size) {
        return batch(size, new ConfirmWindow(Duration.ofSeconds(1), System::nanoTime));
    }

    /** The ids of the messages are their places. */
    static Batch batch(int size, ConfirmWindow window) {
        return new Batch(
                IntStream.range(0, size)
                        .mapToObj(i -> new DelayMessage(Integer.toString(i), "t", "", "", "", 0, 0, 0, 0, 0))
                        .toList(),
                window);
    }

    /** Each message has its place + 1 as tag. */
    private static Batch published(int size) {
        Batch batch = batch(size);
        for (int place = 0; place < size; place++) {
            batch.begin(place + 1L, place);
        }
        return batch;
    }
}
