package io.mykit.delay.controller.message;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.Workers;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.cancel.CancelResult;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers {@code /delete}. */
final class CancelHandler implements CallHandler {
    private final Function<String, CancelResult> canceller;
    private final Workers workers;

    CancelHandler(Function<String, CancelResult> canceller, Workers workers) {
        this.canceller = canceller;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        String id = call.messageId();
        return workers.run(() -> reply(id, canceller.apply(id)));
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
