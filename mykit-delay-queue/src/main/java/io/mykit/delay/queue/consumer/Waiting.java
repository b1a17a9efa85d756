package io.mykit.delay.queue.consumer;

/** A consumer that waits for messages. Thread-safe. */
@FunctionalInterface
public interface Waiting {
    /** The consumer hung up: it gets no answer any more. Messages that were handed out for it are given back. Idempotent. */
    void cancel();
}
