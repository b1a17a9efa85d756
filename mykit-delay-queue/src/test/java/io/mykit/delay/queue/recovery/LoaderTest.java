package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.cancel.MessageCanceller;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoaderTest extends RecoveryFixture {
    private final Loader loader = new Loader(recovery, term);

    @Test
    void loadsRowsWithinTheHorizon() {
        for (int i = 0; i < 3 * PAGE_SIZE; i++) {
            queue.insert("near" + i, NEAR_MS + i, MessageStatus.WAIT_PUT);
        }
        queue.insert("far", FAR_MS, MessageStatus.WAIT_PUT);
        rounds(loader, 4);
        for (int i = 0; i < 3 * PAGE_SIZE; i++) {
            assertThat(queue.status("near" + i)).isEqualTo(MessageStatus.DELAY);
            assertThat(queue.location("near" + i)).isEqualTo(Location.WAITING);
        }
        assertThat(queue.status("far")).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.location("far")).isNull();
    }

    @Test
    void claimsNothingWhileTheIndexIsAway() {
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        queue.buckets().silence(0, 1, 2, 3);
        assertThat(loader.runOnce()).isEqualTo(INTERVAL);
        assertThat(queue.store().flow("m")).hasSize(1);
        queue.buckets().silence();
        rounds(loader, 1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void claimsNothingThatComesWhileTheIndexIsAway() {
        rounds(loader, 1);
        queue.buckets().silence(0, 1, 2, 3);
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        rounds(loader, 3);
        assertThat(loader.runOnce()).isEqualTo(INTERVAL);
        assertThat(queue.store().flow("m")).hasSize(1);
        queue.buckets().silence();
        rounds(loader, 1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    @Test
    void leavesTheRowsOfASilentBucketAndLoadsTheOthers() {
        String silent = queue.idIn(0);
        String served = queue.idIn(1);
        queue.insert(silent, NEAR_MS, MessageStatus.WAIT_PUT);
        queue.insert(served, NEAR_MS, MessageStatus.WAIT_PUT);
        queue.buckets().silence(0);
        rounds(loader, 2);
        assertThat(queue.status(served)).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.status(silent)).isEqualTo(MessageStatus.WAIT_PUT);
        queue.buckets().silence();
        rounds(loader, 2);
        assertThat(queue.status(silent)).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location(silent)).isEqualTo(Location.WAITING);
    }

    @Test
    void givesBackRowsThatTheIndexDoesNotTake() {
        String id = queue.idIn(0);
        queue.insert(id, NEAR_MS, MessageStatus.WAIT_PUT);
        // A page, the claim: after that the bucket falls silent.
        beforeTransaction(2, () -> queue.buckets().silence(0));
        loader.runOnce();
        assertThat(queue.status(id)).isEqualTo(MessageStatus.WAIT_PUT);
        assertThat(queue.store().flow(id))
                .extracting(flow -> flow.to().name())
                .containsExactly("WAIT_PUT", "DELAY", "WAIT_PUT");
    }

    @Test
    void schedulesRowsWhoseClaimWasNotAnswered() {
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        beforeTransaction(2, () -> queue.store().loseNextAnswer());
        try {
            loader.runOnce();
        } catch (RuntimeException e) {
            assertThat(e).isInstanceOf(DelayException.class);
        }
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELAY);
        assertThat(queue.location("m")).isNull();
        rounds(loader, 1);
        assertThat(queue.location("m")).isEqualTo(Location.WAITING);
    }

    /** The clock of Redis may jump; the tier that waits in the database must not fall due with it. */
    @Test
    void aJumpOfTheClockLoadsNothing() {
        queue.insert("far", FAR_MS, MessageStatus.WAIT_PUT);
        Recovery jumped = new Recovery(
                queue.store(),
                queue.index(),
                queue.scheduling(),
                () -> queue.clock().instant().plusMillis(FAR_MS),
                queue.clock(),
                queue.clock(),
                queue.horizon(),
                recovery.config(),
                recovery.board());
        rounds(new Loader(jumped, term), 2);
        assertThat(queue.status("far")).isEqualTo(MessageStatus.WAIT_PUT);
    }

    @Test
    void leavesAMessageThatIsCancelledInBetween() {
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        MessageCanceller canceller = new MessageCanceller(queue.store(), queue.index(), queue.horizon(), queue.clock());
        beforeTransaction(2, () -> canceller.cancel("m"));
        loader.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.DELETE);
        assertThat(queue.location("m")).isNull();
    }

    @Test
    void givesBackAVetoedMessage() {
        DelayMessage message = queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        queue.index().veto(List.of(message.ref()));
        loader.runOnce();
        assertThat(queue.status("m")).isEqualTo(MessageStatus.WAIT_PUT);
        queue.index().lift(message.ref());
        await().until(() -> {
            loader.runOnce();
            return queue.location("m") == Location.WAITING;
        });
    }

    @Test
    void loadsTheRowsBehindVetoedOnes() {
        List<DelayMessage> vetoed = IntStream.range(0, PAGE_SIZE)
                .mapToObj(i -> queue.insert("vetoed" + i, NEAR_MS + i, MessageStatus.WAIT_PUT))
                .toList();
        queue.index().veto(vetoed.stream().map(DelayMessage::ref).toList());
        queue.insert("behind", NEAR_MS + PAGE_SIZE, MessageStatus.WAIT_PUT);
        rounds(loader, 3);
        assertThat(queue.location("behind")).isEqualTo(Location.WAITING);
        assertThat(queue.store().flow("vetoed0")).hasSizeLessThan(5);
    }

    @Test
    void restsWhenTheTermIsOver() {
        queue.insert("m", NEAR_MS, MessageStatus.WAIT_PUT);
        term.revoke();
        assertThat(loader.runOnce()).isEqualTo(INTERVAL);
        assertThat(queue.status("m")).isEqualTo(MessageStatus.WAIT_PUT);
    }

    /** Counted from 1. */
    private void beforeTransaction(int number, Runnable action) {
        AtomicInteger transactions = new AtomicInteger();
        queue.store().before(() -> {
            if (transactions.incrementAndGet() == number) {
                queue.store().before(() -> {});
                action.run();
            }
        });
    }
}
