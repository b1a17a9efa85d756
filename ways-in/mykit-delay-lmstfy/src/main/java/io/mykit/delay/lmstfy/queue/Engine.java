package io.mykit.delay.lmstfy.queue;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.lmstfy.call.Later;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.query.TopicLookup;
import java.time.InstantSource;

/**
 * What the calls of this guest use.
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
    long nowMs() {
        return clock.millis();
    }
}
