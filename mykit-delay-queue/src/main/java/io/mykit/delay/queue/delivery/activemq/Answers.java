package io.mykit.delay.queue.delivery.activemq;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.AsyncCallback;

/** Collects the broker's answers to the messages of one transaction. Thread-safe. */
final class Answers implements AsyncCallback {
    private final AtomicInteger missing;
    private final CompletableFuture<Void> all = new CompletableFuture<>();

    Answers(int expected) {
        missing = new AtomicInteger(expected);
    }

    @Override
    public void onSuccess() {
        if (missing.decrementAndGet() == 0) {
            all.complete(null);
        }
    }

    @Override
    public void onException(JMSException refused) {
        all.completeExceptionally(refused);
    }

    /** Returns when every message was taken, or throws what the first refused one was answered. */
    void await() throws JMSException, InterruptedException {
        try {
            all.get();
        } catch (ExecutionException e) {
            JMSException refused = new JMSException(e.getCause().getMessage());
            refused.initCause(e.getCause());
            throw refused;
        }
    }
}
