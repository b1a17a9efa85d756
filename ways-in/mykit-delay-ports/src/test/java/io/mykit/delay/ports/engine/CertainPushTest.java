package io.mykit.delay.ports.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.Namespaces;
import io.mykit.delay.ports.call.Later;
import io.mykit.delay.queue.producer.CheckedPush;
import io.mykit.delay.queue.producer.Producers;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CertainPushTest {
    private final DelayException inDoubt = new DelayException(ErrorCode.OUTCOME_UNKNOWN, "in doubt");

    private final Later later = new Later("test-timer");
    /** The outcomes of the next pushes; none left = in doubt. */
    private final Queue<CompletableFuture<PushResult>> outcomes = new ArrayDeque<>();

    private final CertainPush pushes = new CertainPush(
            new Engine(producers(), null, null, null, Namespaces.NONE, Clock.systemUTC(), null, later, CallLimits.NONE),
            Via.PROGRAM);

    @AfterEach
    void close() {
        later.close();
    }

    private Producers producers() {
        return (Producers) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Producers.class}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("push");
                    CompletableFuture<PushResult> next = outcomes.poll();
                    return next == null ? CompletableFuture.failedFuture(inDoubt) : next;
                });
    }

    private PushResult push(List<CompletableFuture<PushResult>> all) throws Exception {
        outcomes.addAll(all);
        return pushes.push(new CheckedPush(null, false)).get(20, TimeUnit.SECONDS);
    }

    @Test
    void aRepeatThatFindsItsMessageWasAccepted() throws Exception {
        PushResult same = PushResult.same(MessageStatus.DELAY);
        assertThat(push(List.of(CompletableFuture.completedFuture(same)))).isEqualTo(same);
        assertThat(push(List.of(CompletableFuture.failedFuture(inDoubt), CompletableFuture.completedFuture(same))))
                .as("the status shows a message of an earlier push that has ended")
                .isEqualTo(new PushResult(PushResult.Kind.ACCEPTED, MessageStatus.DELAY));
        assertThat(outcomes).isEmpty();
    }

    @Test
    void anotherFailureIsNotRepeated() {
        DelayException conflict = new DelayException(ErrorCode.ID_CONFLICT, "taken");
        assertThatThrownBy(() -> push(List.of(CompletableFuture.failedFuture(conflict))))
                .hasCause(conflict);
    }

    @Test
    void aDoubtThatStaysIsTold() {
        long begunNanos = System.nanoTime();
        assertThatThrownBy(() -> push(List.of())).hasCause(inDoubt);
        assertThat(System.nanoTime() - begunNanos).isGreaterThan(900_000_000L);
    }
}
