package io.mykit.delay.ingest.kafka;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.delivery.MessageRoute;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.PushRules;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Pushes whose answers the test gives, in the order of their pushes. */
final class StubProducers implements Producers {
    final List<String> pushed = new ArrayList<>();
    final List<CompletableFuture<PushResult>> answers = new ArrayList<>();
    final List<ErrorCode> refused = new ArrayList<>();

    @Override
    public PushRules rules() {
        return new PushRules(
                () -> "made",
                InstantSource.fixed(Instant.ofEpochMilli(1_800_000_000_000L)),
                message -> Optional.empty());
    }

    @Override
    public CompletableFuture<PushResult> push(CheckedPush push, Via via) {
        pushed.add(push.message().id() + "=" + push.message().body());
        CompletableFuture<PushResult> answer = new CompletableFuture<>();
        answers.add(answer);
        return answer;
    }

    @Override
    public void refused(ErrorCode why) {
        refused.add(why);
    }

    @Override
    public CancelResult cancel(String id, String caller) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Long> reschedule(String id, long dueTimeMs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<MessageView> find(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String channel(String topic) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MessageRoute route(DelayMessage message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void requirePlace() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> ended(String id, Duration longest) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void stopWaits() {
        throw new UnsupportedOperationException();
    }
}
