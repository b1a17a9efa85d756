package io.mykit.delay.queue.duty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LastDeliveriesTest {
    private final Fake remainder = new Fake();

    @Test
    void quickSendsNeedNoHold() {
        LastDeliveries last = new LastDeliveries(Duration.ofMinutes(1));
        last.take(remainder);
        assertThat(remainder.left).isNull();
        assertThat(remainder.closedWithin).isPositive();
        assertThat(last.check().details()).isEmpty();
        last.close();
    }

    @Test
    void slowSendsAreLeftAndWaitedFor() {
        LastDeliveries last = new LastDeliveries(Duration.ofMinutes(1));
        remainder.messages = 3;
        last.take(remainder);
        assertThat(remainder.left).isPositive();
        assertThat(remainder.closedWithin).isNull();
        assertThat(last.check().up()).isTrue();
        assertThat(last.check().details()).containsEntry("messages", 3);
        assertThat((long) last.check().details().get("atMostMs")).isBetween(1L, 60_000L);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(last::close);
        assertThat(closing).isNotDone();
        remainder.messages = 0;
        await().until(closing::isDone);
        assertThat(remainder.closedWithin).isPositive();
        assertThat(last.check().details()).isEmpty();
    }

    @Test
    void theWaitIsBounded() {
        LastDeliveries last = new LastDeliveries(Duration.ofMillis(20));
        remainder.messages = 1;
        last.take(remainder);
        last.close();
        assertThat(remainder.closedWithin).isZero();
    }

    @Test
    void aSecondSignalEndsTheWait() {
        LastDeliveries last = new LastDeliveries(Duration.ofMinutes(1));
        remainder.messages = 1;
        last.take(remainder);
        last.cut();
        last.close();
        assertThat(remainder.closedWithin).isZero();
    }

    private static final class Fake implements LastDeliveries.Remainder {
        private volatile int messages;
        private volatile Duration left;
        private volatile Duration closedWithin;

        @Override
        public int messages() {
            return messages;
        }

        @Override
        public void leave(Duration hold) {
            left = hold;
        }

        @Override
        public void renew(Duration hold) {
            left = hold;
        }

        @Override
        public void close(Duration timeout) {
            closedWithin = timeout;
        }
    }
}
