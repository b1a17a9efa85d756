package io.mykit.delay.controller.message;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.key.MessageKey;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.Producers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /delete}, for one message or for those of a business key. */
final class CancelHandler implements CallHandler {
    static final ParameterNames PARAMETERS = ParameterNames.orJson("jobId", "JobId", "id", "topic", "bizKey");

    private static final JsonParameters BODY = JsonParameters.ofTexts(PARAMETERS);

    private final Producers producers;
    private final KeyedCalls keyed;
    private final Workers workers;

    CancelHandler(Producers producers, KeyedCalls keyed, Workers workers) {
        this.producers = producers;
        this.keyed = keyed;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call raw) {
        Call call = BODY.read(raw);
        String caller = call.caller().name() + " from " + call.client().address();
        Optional<MessageKey> key = MessageKey.of(call);
        if (key.isPresent()) {
            return keyed.each(key.get(), one -> cancel(one, caller));
        }
        String id = call.messageId();
        return workers.run(() -> cancel(id, caller));
    }

    private Reply cancel(String id, String caller) {
        CancelResult result = producers.cancel(id, caller);
        return result.refusal(id)
                .map(refusal -> ErrorMapper.failure(refusal).reply())
                .orElseGet(() ->
                        result == CancelResult.CANCELLED ? Envelope.success(id) : Envelope.cancelledAfterAttempt(id));
    }
}
