package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConfirmWindowTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(4);

    private long nowNanos = 1;
    private final ConfirmWindow window = new ConfirmWindow(TIMEOUT, () -> nowNanos);

    @Test
    void confirmsThatComeSoonLetItGrow() throws Exception {
        enter(ConfirmWindow.LEAST);
        assertThat(window.enter(Duration.ZERO)).as("a place too many").isFalse();
        pass(Duration.ofMillis(999));
        window.answered(6, 1);
        assertThat(window.size()).isEqualTo(ConfirmWindow.LEAST + 6);
        enter(12);
        assertThat(window.enter(Duration.ZERO)).isFalse();
    }

    @Test
    void slowConfirmsKeepIt() throws Exception {
        enter(ConfirmWindow.LEAST);
        pass(Duration.ofSeconds(1));
        window.answered(6, 1);
        assertThat(window.size()).isEqualTo(ConfirmWindow.LEAST);
        enter(6);
        assertThat(window.enter(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void messagesWithoutAConfirmHalveWhatIsOpenOnceInATimeout() throws Exception {
        grow(100);
        enter(80);
        pass(TIMEOUT);
        window.timedOut();
        window.timedOut();
        assertThat(window.size()).isEqualTo(40);
        window.leave(80);
        pass(TIMEOUT);
        enter(4);
        window.timedOut();
        assertThat(window.size()).isEqualTo(ConfirmWindow.LEAST);
    }

    @Test
    void aNewConnectionBeginsWithTheSmallestWindow() throws Exception {
        grow(200);
        enter(150);
        window.restart();
        assertThat(window.size()).isEqualTo(ConfirmWindow.LEAST);
        assertThat(window.enter(Duration.ZERO))
                .as("those of the old connection are open")
                .isFalse();
        window.leave(150);
        enter(ConfirmWindow.LEAST);
        assertThat(window.enter(Duration.ZERO)).isFalse();
    }

    @Test
    void itTellsWhetherTheBrokerAnswers() {
        long begunNanos = window.now();
        assertThat(window.hasAnsweredSince(begunNanos)).isFalse();
        pass(Duration.ofMillis(1));
        window.answered(0, begunNanos);
        assertThat(window.hasAnsweredSince(begunNanos)).isTrue();
        assertThat(window.hasAnsweredSince(window.now())).isFalse();
    }

    /** However a message ends, and whatever comes after its end. */
    @Test
    void aBatchGivesEachPlaceBackOnce() throws Exception {
        Batch batch = BatchTest.batch(6, window);
        for (int place = 0; place < 3; place++) {
            enter(1);
            assertThat(batch.begin(place + 1L, place)).isTrue();
        }
        batch.answered(1, false, true);
        batch.notTaken(1);
        batch.notTaken(1);
        batch.lost(new IOException("gone"));
        assertThat(batch.startOver()).containsExactly(2);
        enter(2);
        batch.begin(1, 2);
        batch.begin(2, 3);
        assertThat(batch.isAnyUnanswered()).isTrue();
        assertThat(batch.end("late", Delivery.full("slow")))
                .containsExactly(
                        Delivery.DELIVERED,
                        Delivery.full("slow"),
                        Delivery.unavailable("late"),
                        Delivery.unavailable("late"),
                        Delivery.full("slow"),
                        Delivery.full("slow"));
        batch.answered(2, true, true);
        enter(1);
        assertThat(batch.begin(3, 4)).isFalse();

        enter(window.size());
        assertThat(window.enter(Duration.ZERO)).as("all places are taken again").isFalse();
    }

    private void grow(int size) throws InterruptedException {
        while (window.size() < size) {
            int more = Math.min(window.size(), size - window.size());
            enter(more);
            window.answered(more, window.now());
        }
    }

    private void enter(int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            assertThat(window.enter(Duration.ZERO)).as("place %d", i).isTrue();
        }
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }
}
