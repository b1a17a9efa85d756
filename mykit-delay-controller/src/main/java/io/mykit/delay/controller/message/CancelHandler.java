package io.mykit.delay.controller.message;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.key.KeyedCalls;
import io.mykit.delay.controller.key.MessageKey;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.cancel.CancelResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Answers {@code /delete}, for one message or for those of a business key. */
final class CancelHandler implements CallHandler {
    static final ParameterNames PARAMETERS = ParameterNames.orJson("jobId", "JobId", "id", "topic", "bizKey");

    private static final JsonParameters BODY = JsonParameters.ofTexts(PARAMETERS);

    private final BiFunction<String, String, CancelResult> canceller;
    private final KeyedCalls keyed;
    private final Workers workers;

    CancelHandler(BiFunction<String, String, CancelResult> canceller, KeyedCalls keyed, Workers workers) {
        this.canceller = canceller;
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
        return reply(id, canceller.apply(id, caller));
    }

    private static Reply reply(String id, CancelResult result) {
        return switch (result) {
            case CANCELLED -> Envelope.success(id);
            case CANCELLED_AFTER_ATTEMPT -> Envelope.cancelledAfterAttempt(id);
            case UNKNOWN -> refused(ErrorCode.NOT_FOUND, id, "is not known");
            case ALREADY_DISPATCHED -> refused(ErrorCode.ALREADY_DISPATCHED, id, "is already dispatched");
            case ALREADY_FINISHED -> refused(ErrorCode.ALREADY_FINISHED, id, "is already finished");
        };
    }

    private static Reply refused(ErrorCode code, String id, String why) {
        return ErrorMapper.failure(code, "message " + id + " " + why).reply();
    }
}
