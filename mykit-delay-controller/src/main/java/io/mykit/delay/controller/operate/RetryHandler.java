package io.mykit.delay.controller.operate;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.JsonParameters;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.operator.Operators;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers {@code /topics/retry}. */
final class RetryHandler implements CallHandler {
    static final ParameterNames RETRY = ParameterNames.orJson("topic");

    private static final JsonParameters BODY = JsonParameters.ofTexts(RETRY);

    private final Operators operators;
    private final Workers workers;

    RetryHandler(Operators operators, Workers workers) {
        this.operators = operators;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call raw) {
        String topic = PauseHandler.topic(BODY.read(raw).parameters());
        return workers.run(() -> {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("topic", topic);
            data.put("leader", operators.retry(topic));
            return Envelope.success(data);
        });
    }
}
