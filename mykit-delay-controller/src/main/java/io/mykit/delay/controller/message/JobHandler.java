package io.mykit.delay.controller.message;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.body.Bodies;
import io.mykit.delay.controller.body.BodyView;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.ParameterNames;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** Answers {@code GET /job/{id}}, at once or when the message has ended. */
final class JobHandler implements CallHandler {
    static final ParameterNames PARAMETERS = ParameterNames.of("jobId", "JobId", "id", "wait", "body", Bodies.UNMASK);

    private final Producers producers;
    private final JobJson json;
    private final Outcomes outcomes;
    private final Bodies bodies;
    private final Workers workers;

    JobHandler(Producers producers, JobJson json, Outcomes outcomes, Bodies bodies, Workers workers) {
        this.producers = producers;
        this.json = json;
        this.outcomes = outcomes;
        this.bodies = bodies;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        String id = call.messageId();
        Duration wait = call.parameters()
                .duration("wait", Duration.ZERO, outcomes.maxWait())
                .orElse(Duration.ZERO);
        Optional<Long> given = call.parameters().number("body", 0, Integer.MAX_VALUE);
        OptionalInt limit = given.isPresent() ? OptionalInt.of(given.get().intValue()) : OptionalInt.empty();
        BodyView seen = bodies.of(call);
        return wait.isZero()
                ? workers.run(() -> reply(id, producers.find(id), seen, limit))
                : outcomes.answer(id, wait, call.client(), found -> reply(id, found, seen, limit));
    }

    private Reply reply(String id, Optional<MessageView> found, BodyView seen, OptionalInt limit) {
        return found.map(view -> Envelope.success(seen.job(json.of(view), limit)))
                .orElseGet(() -> ErrorMapper.failure(DelayException.unknown(id)).reply());
    }
}
