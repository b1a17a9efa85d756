package io.mykit.delay.controller.scope;

import io.mykit.delay.access.scope.Names;
import io.mykit.delay.access.scope.ScopedTurn;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.operator.ClearOrder;
import io.mykit.delay.queue.operator.ClearReport;
import io.mykit.delay.queue.operator.DeadGroups;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.DeadReport;
import io.mykit.delay.queue.operator.EndedWork;
import io.mykit.delay.queue.operator.Operators;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.operator.PolicyKey;
import io.mykit.delay.queue.operator.RestoreOrder;
import io.mykit.delay.queue.operator.RestoreReport;
import io.mykit.delay.queue.operator.RunningWork;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The face for operators of one namespace. What acts on the whole queue is refused. Thread-safe. */
public final class ScopedOperators implements Operators {
    private final Operators all;
    private final Names names;

    public ScopedOperators(Operators all, Names names) {
        this.all = all;
        this.names = names;
    }

    @Override
    public Runnable turn() {
        return ScopedTurn.take(all);
    }

    @Override
    public List<RunningWork> running() {
        return all.running();
    }

    @Override
    public List<EndedWork> ended() {
        throw wholeQueue();
    }

    @Override
    public boolean stop(long number) {
        throw wholeQueue();
    }

    @Override
    public Optional<RunningWork> stopOrdered() {
        throw wholeQueue();
    }

    @Override
    public RestoreReport restoreAll(RestoreOrder order) {
        throw wholeQueue();
    }

    @Override
    public boolean restoreOne(String id) {
        return names.call(() -> all.restoreOne(names.in(id)));
    }

    @Override
    public ClearReport clear(ClearOrder order) {
        String topic = order.topic().orElseThrow(this::wholeQueue);
        return names.call(
                () -> all.clear(new ClearOrder(Optional.of(names.in(topic)), order.dueOnly(), order.dryRun())));
    }

    @Override
    public List<DeadTopic> deadTopics(String prefix, int limit) {
        return all.deadTopics(names.in(prefix), limit).stream()
                .filter(topic -> names.has(topic.topic()))
                .map(topic ->
                        new DeadTopic(names.out(topic.topic()), topic.count(), topic.oldestMs(), topic.newestMs()))
                .toList();
    }

    /** Without letters whose ids are outside: copies that an older release made have such ids. */
    @Override
    public List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit) {
        DeadCursor begin =
                after.equals(DeadCursor.START) ? after : new DeadCursor(after.deadTimeMs(), names.in(after.id()));
        List<DeadLetter> own = new ArrayList<>();
        List<DeadLetter> page;
        do {
            page = all.deadLetters(names.in(topic), query, begin, limit);
            page.stream()
                    .filter(letter -> names.has(letter.id()))
                    .limit(limit - own.size())
                    .map(this::out)
                    .forEach(own::add);
            begin = page.isEmpty() ? begin : page.get(page.size() - 1).cursor();
        } while (page.size() == limit && own.size() < limit);
        return own;
    }

    private DeadLetter out(DeadLetter letter) {
        return new DeadLetter(
                names.out(letter.id()),
                names.out(letter.topic()),
                letter.bizKey(),
                letter.attempts(),
                letter.reason(),
                names.text(letter.detail()),
                letter.dueTimeMs(),
                letter.deadTimeMs());
    }

    @Override
    public DeadGroups deadGroups(String topic) {
        return all.deadGroups(names.in(topic));
    }

    @Override
    public DeadReport respawn(DeadOrder order, Pace pace) {
        return names.call(() -> all.respawn(in(order), pace));
    }

    @Override
    public DeadReport discard(DeadOrder order) {
        return names.call(() -> all.discard(in(order)));
    }

    private DeadOrder in(DeadOrder order) {
        return new DeadOrder(names.in(order.topics()), order.isPrefix(), order.query(), order.limit(), order.dryRun());
    }

    @Override
    public long respawn(String topic, long limit, int maxAttempts, long ttlSeconds) {
        return names.call(() -> all.respawn(names.in(topic), limit, maxAttempts, ttlSeconds));
    }

    @Override
    public long discard(String topic, long limit) {
        return names.call(() -> all.discard(names.in(topic), limit));
    }

    @Override
    public boolean respawnOne(String id, Duration delay) {
        return names.call(() -> all.respawnOne(names.in(id), delay));
    }

    @Override
    public boolean discardOne(String id) {
        return names.call(() -> all.discardOne(names.in(id)));
    }

    @Override
    public TopicPause pause(String topic, Optional<Duration> length) {
        TopicPause pause = names.call(() -> all.pause(names.in(topic), length));
        return new TopicPause(names.out(pause.topic()), pause.untilMs());
    }

    @Override
    public void resume(String topic) {
        all.resume(names.in(topic));
    }

    @Override
    public boolean retry(String topic) {
        return all.retry(names.in(topic));
    }

    /** Limits of a topic, and the places of the metrics, are shared by all teams, so those who see the whole queue set them. */
    @Override
    public void changeTopic(String topic, Map<String, Optional<String>> changes) {
        throw wholeQueue();
    }

    @Override
    public List<PolicyKey> policy(String topic) {
        return all.policy(names.in(topic));
    }

    @Override
    public List<String> topicsWithPolicy(String prefix) {
        return all.topicsWithPolicy(names.in(prefix)).stream().map(names::out).toList();
    }

    @Override
    public List<PolicyKey> settings(String topic) {
        return all.settings(names.in(topic));
    }

    private DelayException wholeQueue() {
        return new DelayException(
                ErrorCode.FORBIDDEN, "this acts on the whole queue, and the token is of " + names.namespace());
    }
}
