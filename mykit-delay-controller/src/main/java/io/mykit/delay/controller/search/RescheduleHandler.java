package io.mykit.delay.controller.search;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.common.message.MessageLimits;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Parameters;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.key.MessageKey;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.producer.Producers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** Answers {@code POST /reschedule}, for one message or for those of a business key. Its fields stand in a JSON body only, which the form of a web page cannot send. */
final class RescheduleHandler implements CallHandler {
    private static final JsonParameters BODY = new JsonParameters(
            ParameterNames.of("id", "jobId", "JobId", "topic", "bizKey", "triggerAt", "delay"),
            Set.of(),
            Set.of(),
            Set.of("delay", "triggerAt"));

    private static final Duration LONGEST = Duration.ofMillis(MessageLimits.MAX_DUE_TIME_MS);

    private final Producers producers;
    private final InstantSource clock;
    private final KeyedCalls keyed;
    private final Workers workers;

    RescheduleHandler(Producers producers, InstantSource clock, KeyedCalls keyed, Workers workers) {
        this.producers = producers;
        this.clock = clock;
        this.keyed = keyed;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        if (!call.declaresJson()) {
            return CompletableFuture.completedFuture(ErrorMapper.notJson());
        }
        Call read = BODY.read(call);
        Optional<MessageKey> key = MessageKey.of(read);
        String id = key.isPresent() ? null : read.messageId();
        LongSupplier due = due(read.parameters());
        if (key.isPresent()) {
            // One time for all of them.
            long dueMs = due.getAsLong();
            return keyed.each(key.get(), one -> reschedule(one, dueMs));
        }
        return workers.run(() -> reschedule(id, due.getAsLong()));
    }

    private Reply reschedule(String id, long dueMs) {
        return reply(id, producers.reschedule(id, dueMs));
    }

    private LongSupplier due(Parameters given) {
        Optional<Long> triggerAt = given.time("triggerAt");
        Optional<Duration> delay = given.duration("delay", Duration.ZERO, LONGEST);
        if (triggerAt.isPresent() == delay.isPresent()) {
            throw invalid(
                    delay.isPresent() ? "delay and triggerAt exclude each other" : "delay or triggerAt is required");
        }
        return () -> triggerAt.orElseGet(() -> Math.min(
                MessageLimits.MAX_DUE_TIME_MS,
                clock.millis() + delay.orElseThrow().toMillis()));
    }

    private static Reply reply(String id, Optional<Long> dueTimeMs) {
        if (dueTimeMs.isEmpty()) {
            return ErrorMapper.failure(DelayException.unknown(id)).reply();
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("id", id);
        data.put("dueTime", dueTimeMs.get());
        return Envelope.success(data);
    }
}
