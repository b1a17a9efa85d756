package io.mykit.delay.access.scope;

import io.mykit.delay.access.limit.NamespaceBounds;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The face for producers of one namespace, within its bounds. Thread-safe. */
public final class ScopedProducers implements Producers {
    private final Producers all;
    private final Names names;
    private final NamespaceBounds bounds;
    private final PushRules rules;

    public ScopedProducers(Producers all, Names names, NamespaceBounds bounds) {
        this.all = all;
        this.names = names;
        this.bounds = bounds;
        this.rules = all.rules().named(names::in, bounds::objection);
    }

    /** They make messages with the names of the callers, which {@link #push} changes. */
    @Override
    public PushRules rules() {
        return rules;
    }

    @Override
    public CompletableFuture<PushResult> push(CheckedPush push, Via via) {
        CompletableFuture<Optional<DelayException>> objection =
                bounds.topic(push.message().topic());
        return objection.isDone()
                ? push(push, via, objection.join())
                : objection.thenCompose(found -> push(push, via, found));
    }

    private CompletableFuture<PushResult> push(CheckedPush push, Via via, Optional<DelayException> objection) {
        if (objection.isPresent()) {
            all.refused(objection.get().code());
            return CompletableFuture.failedFuture(objection.get());
        }
        return all.push(new CheckedPush(names.in(push.message()), push.replace()), via)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(names.out(failure)));
    }

    @Override
    public void refused(ErrorCode why) {
        all.refused(why);
    }

    @Override
    public CancelResult cancel(String id, String caller) {
        return names.call(() -> all.cancel(names.in(id), caller));
    }

    @Override
    public Optional<Long> reschedule(String id, long dueTimeMs) {
        bounds.objection(dueTimeMs).ifPresent(refusal -> {
            throw refusal;
        });
        return names.call(() -> all.reschedule(names.in(id), dueTimeMs));
    }

    @Override
    public Optional<MessageView> find(String id) {
        return names.call(() -> all.find(names.in(id)))
                .filter(found -> names.has(found.message().topic()))
                .map(this::out);
    }

    private MessageView out(MessageView found) {
        return new MessageView(
                names.out(found.message()),
                found.status(),
                found.attempts(),
                found.maxAttempts(),
                names.text(found.lastError()),
                found.result(),
                found.hold(),
                found.located(),
                found.bucket(),
                found.updateTimeMs(),
                found.flow().stream().map(this::out).toList());
    }

    private StatusFlow out(StatusFlow row) {
        return new StatusFlow(
                names.out(row.messageId()),
                row.from(),
                row.to(),
                row.atMs(),
                row.thread(),
                row.host(),
                row.attempt(),
                names.text(row.detail()));
    }

    @Override
    public String channel(String topic) {
        return all.channel(names.in(topic));
    }

    @Override
    public MessageRoute route(DelayMessage message) {
        return all.route(names.in(message));
    }

    @Override
    public void requirePlace() {
        all.requirePlace();
    }

    @Override
    public CompletableFuture<Void> ended(String id, Duration longest) {
        return all.ended(names.in(id), longest);
    }

    @Override
    public void stopWaits() {
        all.stopWaits();
    }
}
