package io.mykit.delay.controller.push;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import java.util.concurrent.CompletableFuture;

/** {@code POST /push}: the hot path, all of it on the event loop except the commit. */
final class PushHandler implements CallHandler {
    private final PushParser parser;
    private final Intake intake;

    PushHandler(PushParser parser, Intake intake) {
        this.parser = parser;
        this.intake = intake;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        PushRequest request = parser.parse(call.json());
        // Written before the commit, so that the intake's thread has nothing to do but hand it on.
        String id = request.message().id();
        Reply accepted = Envelope.accepted(id);
        return intake.push(request.message(), request.replace())
                .handle((result, failure) -> failure == null
                        ? accepted
                        : ErrorMapper.failure(failure).ofPush(id).reply());
    }
}
