package io.mykit.delay.channel.activemq;

import jakarta.jms.JMSException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.activemq.AsyncCallback;

/** The broker's answer to one message. Thread-safe. */
final class SendAnswer implements AsyncCallback {
    private final CompletableFuture<Void> given = new CompletableFuture<>();

    @Override
    public void onSuccess() {
        given.complete(null);
    }

    @Override
    public void onException(JMSException refused) {
        given.completeExceptionally(refused);
    }

    /** Returns when the broker has taken the message, or throws the reason of its refusal. */
    void await() throws JMSException, InterruptedException {
        try {
            given.get();
        } catch (ExecutionException e) {
            JMSException refused = new JMSException(e.getCause().getMessage());
            refused.initCause(e.getCause());
            throw refused;
        }
    }
}
