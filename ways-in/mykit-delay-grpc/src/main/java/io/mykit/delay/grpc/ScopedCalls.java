package io.mykit.delay.grpc;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.scope.Names;
import io.mykit.delay.access.scope.ScopedConsumers;
import io.mykit.delay.access.scope.ScopedProducers;
import io.mykit.delay.grpc.call.Caller;
import io.mykit.delay.grpc.pull.PullCalls;
import io.mykit.delay.grpc.push.PushCalls;
import io.mykit.delay.grpc.push.PushFields;
import io.mykit.delay.grpc.task.TaskCalls;
import io.mykit.delay.queue.consumer.Consumers;
import io.mykit.delay.queue.producer.Producers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls as each caller may make them: over the faces of the queue, or over those of the namespace that its token is confined to. Those of
 * a namespace are made at its first call. Thread-safe.
 */
final class ScopedCalls {
    private final Producers producers;
    private final Consumers consumers;
    private final PushFields fields;
    private final CallLimits limits;
    private final Set all;
    private final Map<String, Set> byNamespace = new ConcurrentHashMap<>();

    ScopedCalls(Producers producers, Consumers consumers, PushFields fields, CallLimits limits) {
        this.producers = producers;
        this.consumers = consumers;
        this.fields = fields;
        this.limits = limits;
        this.all = new Set(
                new PushCalls(producers, fields, limits),
                new TaskCalls(producers, fields),
                new PullCalls(consumers, limits));
    }

    Set of(Caller caller) {
        Principal principal = caller.principal();
        return principal.isConfined() ? byNamespace.computeIfAbsent(principal.namespace(), this::confined) : all;
    }

    private Set confined(String namespace) {
        Names names = new Names(namespace);
        Producers own = new ScopedProducers(producers, names, limits.bounds(namespace));
        return new Set(
                new PushCalls(own, fields, limits),
                new TaskCalls(own, fields),
                all.pulls().over(new ScopedConsumers(consumers, names)));
    }

    /** Ends the waits of all pulls, because this node stops. */
    void stop() {
        all.pulls().stop();
    }

    /** The calls over the same faces. */
    record Set(PushCalls pushes, TaskCalls tasks, PullCalls pulls) {}
}
