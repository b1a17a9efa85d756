package io.mykit.delay.client.kafka;

/** Is told of delayed records, for metrics. Called on the threads that send, so it must not block. Thread-safe. */
@FunctionalInterface
public interface DelayedRecordListener {
    /** @param topic the one on which the record arrives when it is due */
    void delayed(String topic);
}
