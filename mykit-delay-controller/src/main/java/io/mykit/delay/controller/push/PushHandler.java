package io.mykit.delay.controller.push;

import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import java.util.concurrent.CompletableFuture;

/** Answers {@code POST /push}. It is the hot path: all steps except the commit run on the event loop. */
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
        // The answer is written before the commit, so that the intake's thread only has to pass it on.
        String id = request.message().id();
        Reply accepted = Envelope.accepted(id);
        return intake.push(request.message(), request.replace())
                .handle((result, failure) -> failure == null
                        ? accepted
                        : ErrorMapper.failure(failure).ofPush(id).reply());
    }
}
