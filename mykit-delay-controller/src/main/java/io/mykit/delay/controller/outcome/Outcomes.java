package io.mykit.delay.controller.outcome;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Client;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.consumer.PullSettings;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers requests when their messages have ended, or with the state at the end of their wait. Thread-safe. */
public final class Outcomes {
    /** Many messages may end together. Their requests must not take the threads of other calls. */
    private static final int THREADS = 4;

    private final Producers producers;
    private final Duration maxWait;
    private final Workers workers;

    /** @param limits the longest wait, and the maximum of requests that wait */
    public Outcomes(Producers producers, PullSettings limits) {
        this.producers = producers;
        this.maxWait = limits.maxWait();
        this.workers = new Workers("outcome", THREADS, limits.maxWaiting());
    }

    private Outcomes(Producers producers, Duration maxWait, Workers workers) {
        this.producers = producers;
        this.maxWait = maxWait;
        this.workers = workers;
    }

    /** The same over another face, with the same threads. It is stopped and closed with this one. */
    public Outcomes over(Producers other) {
        return new Outcomes(other, maxWait, workers);
    }

    public Duration maxWait() {
        return maxWait;
    }

    /**
     * Checks that a request may wait now.
     *
     * @throws io.mykit.delay.common.error.DelayException BUSY
     */
    public void requirePlace() {
        producers.requirePlace();
    }

    /**
     * Waits for the end of a message. Must be called on the client's event loop. The body of the request must not be needed
     * any more.
     *
     * @param form makes the answer of the message; empty = it is not known
     * @throws io.mykit.delay.common.error.DelayException BUSY
     */
    public CompletableFuture<Reply> answer(
            String id, Duration wait, Client client, Function<Optional<MessageView>, Reply> form) {
        CompletableFuture<Void> ended = producers.ended(id, wait);
        CompletableFuture<Reply> reply = ended.thenCompose(
                nothing -> client.isGone() ? dropped(id) : workers.run(() -> form.apply(producers.find(id))));
        client.releaseBody();
        client.whenHungUp(() -> ended.complete(null));
        return reply;
    }

    /** The client has hung up, so that the answer reaches no client. */
    private static CompletableFuture<Reply> dropped(String id) {
        return CompletableFuture.completedFuture(Envelope.accepted(id));
    }

    /** Ends all waits, because this node stops. */
    public void stop() {
        producers.stopWaits();
    }

    public void close(Duration grace) {
        workers.close(grace);
    }
}
