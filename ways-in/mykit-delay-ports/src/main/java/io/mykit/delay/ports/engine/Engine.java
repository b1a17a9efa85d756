package io.mykit.delay.ports.engine;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.query.TopicLookup;
import java.time.InstantSource;

/**
 * What the calls of a guest use.
 *
 * @param namespaces those of the native ports
 * @param clock the clock of the cluster
 * @param workers run what blocks
 * @param later runs what waits
 * @param limits of tokens and namespaces
 */
public record Engine(
        Producers producers,
        Consumers consumers,
        Operators operators,
        TopicLookup topics,
        Namespaces namespaces,
        InstantSource clock,
        Workers workers,
        Later later,
        CallLimits limits) {
    /** The time by the clock of the cluster, epoch milliseconds. */
    public long nowMs() {
        return clock.millis();
    }
}
