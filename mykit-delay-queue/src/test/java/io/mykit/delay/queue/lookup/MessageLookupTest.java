package io.mykit.delay.queue.lookup;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.producer.MessageView;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageLookupTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);

    @Test
    void aMessageThatNeverFailedHasNoLastErrorAndWaitsForItsFirstAttempt() {
        MemoryMessageStore store = inserted(FlowLog.FULL);
        MessageView view = find(store);
        assertThat(view.lastError()).isEmpty();
        assertThat(view.maxAttempts()).isEqualTo(16);
        assertThat(view.isWaiting()).isTrue();
        assertThat(view.bucket()).hasValue(queue.index().bucketOf("a"));
    }

    @Test
    void theLastFailureIsTold() {
        MemoryMessageStore store = inserted(FlowLog.FULL);
        move(store, DELAY, 1, step(READY, ""), step(DELAY, "HTTP 500; next"));
        move(store, DELAY, 2, step(READY, ""), step(DELAY, "HTTP 503; next"));
        assertThat(find(store).lastError()).isEqualTo("HTTP 503; next");
    }

    @Test
    void eachMoveHasTheAttemptsThatHaveFailedSoFar() {
        MemoryMessageStore store = inserted(FlowLog.FULL);
        move(store, DELAY, 1, step(READY, ""), step(DELAY, "HTTP 500; next"));
        move(store, DELAY, 1, step(READY, ""), step(DELAY, "not counted"));
        move(store, DELAY, 2, step(READY, ""), step(DELAY, "HTTP 503; next"));
        move(store, DELAY, 2, step(READY, ""), step(FINISH, ""));
        assertThat(find(store).flow())
                .extracting(move -> move.to() + " " + move.attempt())
                .containsExactly(
                        "DELAY 0",
                        "READY 0",
                        "DELAY 1",
                        "READY 1",
                        "DELAY 1",
                        "READY 1",
                        "DELAY 2",
                        "READY 2",
                        "FINISH 2");
    }

    @ParameterizedTest
    @EnumSource(FlowLog.class)
    void theLastFailureOfADeadLetterIsToldAtEachLevelOfTheLog(FlowLog level) {
        MemoryMessageStore store = inserted(level);
        move(store, DELAY, 16, step(READY, ""), step(FAILED, "HTTP 410"));
        MessageView view = find(store);
        assertThat(view.lastError()).isEqualTo("HTTP 410");
        assertThat(view.isWaiting()).isFalse();
    }

    @Test
    void aRespawnedMessageHasNoLastErrorUntilItFailsAgain() {
        MemoryMessageStore store = inserted(FlowLog.FULL);
        move(store, DELAY, 1, step(READY, ""), step(FAILED, "HTTP 410"));
        DelayMessage next = store.find("a").orElseThrow().message().asVersion(1);
        List<Transition.Step> respawned = List.of(step(RESTORE, "respawned by an operator"), step(DELAY, ""));
        assertThat(store.rewrite(next, new Transition("a", 0, FAILED, respawned, "respawn", 0)))
                .isTrue();
        assertThat(find(store).lastError()).isEmpty();
    }

    private MemoryMessageStore inserted(FlowLog level) {
        MemoryMessageStore store = queue.store().logging(level);
        DelayMessage message =
                MessageBuilder.withId("a").body("b").created(1000).build();
        store.insert(List.of(new NewMessage(message, DELAY)));
        return store;
    }

    private MessageView find(MemoryMessageStore store) {
        RetryPolicies policies = new RetryPolicies(
                ConfigLoader.load(Map.of()).delivery(), new TopicPolicies(Map.of()), topic -> RetryOptions.NONE);
        return new MessageLookup(store, queue.index(), policies).find("a").orElseThrow();
    }

    private static void move(
            MemoryMessageStore store, MessageStatus from, int attempts, Transition.Step first, Transition.Step last) {
        assertThat(store.move(List.of(new Transition("a", 0, from, List.of(first, last), "bucket-1", attempts))))
                .isEmpty();
    }

    private static Transition.Step step(MessageStatus to, String detail) {
        return new Transition.Step(to, 2000, detail);
    }
}
