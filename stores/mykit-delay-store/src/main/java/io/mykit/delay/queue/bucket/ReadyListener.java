package io.mykit.delay.queue.bucket;

/** Is called when the ready list of a pulled topic has got messages. It must return at once. */
@FunctionalInterface
public interface ReadyListener {
    void ready(int bucket, String topic);
}
