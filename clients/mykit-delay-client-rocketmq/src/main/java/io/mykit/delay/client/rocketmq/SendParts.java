package io.mykit.delay.client.rocketmq;

import io.mykit.delay.client.DelayClient;
import java.time.Duration;
import java.util.concurrent.Executor;

/** What all delayed sends of an application share. Thread-safe. */
record SendParts(DelayClient client, InFlight inFlight, Executor callbacks, SendCounts counts, LossLog losses) {
    /** The client for one send, milliseconds. */
    DelayClient patient(long timeoutMs) {
        return client.retryingFor(Duration.ofMillis(timeoutMs));
    }
}
