package io.mykit.delay.controller.push;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.limit.CallLimits.Kind;
import io.mykit.delay.access.limit.Permit;
import io.mykit.delay.access.log.RequestLog;
import io.mykit.delay.access.trace.RequestTrace;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.call.Client;
import io.mykit.delay.controller.outcome.JobJson;
import io.mykit.delay.controller.outcome.Outcomes;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.ErrorMapper;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers {@code POST /push}. It is the hot path: all steps except the commit run on the event loop. */
final class PushHandler implements CallHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PushHandler.class);

    private final PushParser parser;
    private final Producers producers;
    private final Outcomes outcomes;
    private final JobJson json;
    private final CallLimits limits;

    PushHandler(PushParser parser, Producers producers, Outcomes outcomes, JobJson json, CallLimits limits) {
        this.parser = parser;
        this.producers = producers;
        this.outcomes = outcomes;
        this.json = json;
        this.limits = limits;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        CompletableFuture<Permit> asked = limits.ask(call.caller(), Kind.PUSH, 1);
        return asked.isDone()
                ? push(call, asked.join())
                : asked.thenComposeAsync(
                        permit -> push(call, permit), call.client().loop());
    }

    private CompletableFuture<Reply> push(Call call, Permit permit) {
        try {
            permit.require();
            return push(call);
        } catch (DelayException refused) {
            producers.refused(refused.code());
            throw refused;
        }
    }

    private CompletableFuture<Reply> push(Call call) {
        RequestTrace trace = call.client().trace();
        PushRequest request = parser.parse(call.json(), trace, call.client().header(RequestLog.ID));
        trace.pushes(request.message());
        if (!request.longestWait().isZero()) {
            return pushAndWait(request, call.client());
        }
        // The answer is written before the commit, so that the intake's thread only has to pass it on.
        String id = request.message().id();
        Reply accepted = Envelope.accepted(id);
        return producers.push(request.checked(), Via.HTTP).handle((result, failure) -> {
            if (failure != null) {
                return refused(id, failure);
            }
            return result.status() == null ? accepted : Envelope.accepted(id, result.status());
        });
    }

    private static Reply refused(String id, Throwable why) {
        return ErrorMapper.failure(why).ofPush(id).reply();
    }

    /** Once the message is stored, the answer is never a failure: it has the id in any case. */
    private CompletableFuture<Reply> pushAndWait(PushRequest request, Client client) {
        outcomes.requirePlace();
        String id = request.message().id();
        Duration wait = request.longestWait();
        return producers
                .push(request.checked(), Via.HTTP)
                .thenComposeAsync(result -> outcome(id, result.status(), wait, client), client.loop())
                .exceptionally(failure -> refused(id, failure));
    }

    private CompletableFuture<Reply> outcome(String id, MessageStatus before, Duration wait, Client client) {
        try {
            return outcomes.answer(id, wait, client, found -> waited(id, before, found))
                    .exceptionally(failure -> unread(id, before, failure));
        } catch (DelayException busy) {
            return CompletableFuture.completedFuture(unread(id, before, busy));
        }
    }

    private Reply unread(String id, MessageStatus before, Throwable failure) {
        // The mapper logs a defect.
        LOG.debug(
                "Message {} is stored; its state is not known: {}",
                id,
                ErrorMapper.failure(failure).message());
        return waited(id, before, Optional.empty());
    }

    private Reply waited(String id, MessageStatus before, Optional<MessageView> found) {
        return Envelope.waited(id, before, found.map(json::of).orElse(null));
    }
}
