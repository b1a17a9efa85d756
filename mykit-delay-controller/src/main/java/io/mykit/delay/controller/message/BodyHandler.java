package io.mykit.delay.controller.message;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.body.BodyView;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.producer.Producers;
import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers {@code GET /job/{id}/body} with the bytes of the body alone, in a form that no browser runs or shows. */
final class BodyHandler implements CallHandler {
    static final ParameterNames PARAMETERS = ParameterNames.of(Bodies.UNMASK);

    private static final int OK = 200;
    private static final int MAX_NAME = 64;

    private final Producers producers;
    private final Bodies bodies;
    private final Workers workers;

    BodyHandler(Producers producers, Bodies bodies, Workers workers) {
        this.producers = producers;
        this.bodies = bodies;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        String id = call.messageId();
        BodyView view = bodies.of(call);
        return workers.run(() -> producers
                .find(id)
                .map(found -> view.bytes(
                                found.message().body(), found.message().extras().binary())
                        .map(bytes -> download(id, bytes))
                        .orElseGet(() -> ErrorMapper.failure(
                                        ErrorCode.FORBIDDEN,
                                        "mykit.delay.console.bodies or mykit.delay.console.mask hides this body")
                                .reply()))
                .orElseGet(() -> ErrorMapper.failure(DelayException.unknown(id)).reply()));
    }

    private static Reply download(String id, byte[] bytes) {
        String plain = id.replaceAll("[^A-Za-z0-9._-]", "_");
        String name = plain.substring(0, Math.min(MAX_NAME, plain.length()));
        return new Reply(
                OK,
                "application/octet-stream",
                Buffer.buffer(bytes),
                Map.of(
                        "Content-Disposition",
                        "attachment; filename=\"body-" + name + "\"",
                        "X-Content-Type-Options",
                        "nosniff",
                        "Content-Security-Policy",
                        "sandbox"));
    }
}
