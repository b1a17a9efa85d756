package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A real store that holds its first caller of {@code move} back, right before it, for as long as a test wants. */
final class HeldMoves {
    private static final int SECONDS = 20;

    private final MessageStore store;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile boolean refused;

    HeldMoves(MessageStore store) {
        this.store = store;
    }

    MessageStore store() {
        return Views.of(MessageStore.class, store, (call, method) -> {
            if (method.equals("move")) {
                hold();
            }
            return call.call();
        });
    }

    void awaitReached() throws InterruptedException {
        assertThat(reached.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    void letGo() {
        goOn.countDown();
    }

    void refuse() {
        refused = true;
        letGo();
    }

    private void hold() throws InterruptedException {
        reached.countDown();
        assertThat(goOn.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        if (refused) {
            throw new StoreUnavailableException("as the test wants it", null);
        }
    }
}
