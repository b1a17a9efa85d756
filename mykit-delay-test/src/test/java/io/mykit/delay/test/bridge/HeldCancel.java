package io.mykit.delay.test.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.cancel.MessageCanceller;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A cancel on its way that is held up right before it changes the row, for as long as a test wants. */
final class HeldCancel implements AutoCloseable {
    private static final int SECONDS = 20;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<CancelResult> answer;
    private volatile boolean refused;

    /** Returns when it has looked into the index. */
    HeldCancel(Bridge bridge, String id) throws InterruptedException {
        MessageStore held = Views.of(MessageStore.class, bridge.store(), (call, method) -> {
            if (method.equals("move")) {
                hold();
            }
            return call.call();
        });
        answer = thread.submit(() -> new MessageCanceller(
                        held,
                        bridge.index(),
                        new Horizon(bridge.config().queue().horizon()),
                        bridge.clock())
                .cancel(id));
        assertThat(reached.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    Future<CancelResult> letGo() {
        goOn.countDown();
        return answer;
    }

    /** The store cannot be reached. */
    Future<CancelResult> refuse() {
        refused = true;
        return letGo();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void hold() throws InterruptedException {
        reached.countDown();
        assertThat(goOn.await(SECONDS, TimeUnit.SECONDS)).isTrue();
        if (refused) {
            throw new StoreUnavailableException("as the test wants it", null);
        }
    }
}
