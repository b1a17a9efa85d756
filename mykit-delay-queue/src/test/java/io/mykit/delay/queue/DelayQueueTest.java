package io.mykit.delay.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.leader.LeaderElector.Role;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.memory.MemoryMessageStore;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelayQueueTest {
    private static final String PULLED = "work";

    private final DelayConfig config = ConfigLoader.load(
            Map.of("mykit.delay.delivery.default-channel", "list", "mykit.delay.delivery.topics.work.channel", "pull"));
    private final ClusterClock clock = new ClusterClock();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> arrived = new ArrayList<>();
    private final List<String> terms = new ArrayList<>();
    private final MemoryMessageStore store = new MemoryMessageStore(clock);
    private final DelayQueue queue = DelayQueue.builder(
                    config, store, new MemoryMessageIndex(new MemoryBuckets(4), clock), clock)
            .channel("list", DeliveryChannel.of(message -> {
                synchronized (arrived) {
                    arrived.add(message.body());
                }
                return Delivery.DELIVERED;
            }))
            .meters(meters)
            .build();

    @AfterEach
    void close() {
        queue.close();
    }

    @Test
    void aMessageGoesFromAFaceToAChannel() {
        queue.onTerm(() -> terms.add("begun"));
        queue.start();
        assertThat(push("m", "t", 50)).isEqualTo(PushResult.ACCEPTED);
        awaitStatus("m", MessageStatus.FINISH);
        synchronized (arrived) {
            assertThat(arrived).containsExactly("body of m");
        }
        assertThat(terms).containsExactly("begun");
        assertThat(queue.producers()
                        .route(queue.producers().find("m").orElseThrow().message())
                        .channel())
                .isEqualTo("list");
        assertThat(List.of(queue.producers().channel("t"), queue.producers().channel(PULLED)))
                .containsExactly("list", "pull");
        assertThat(accepted("program")).isEqualTo(1);
    }

    @Test
    void eachErrorComesOutOfItsFace() throws Exception {
        queue.start();
        push("waits", "t", 600_000);
        assertThatThrownBy(() -> push("waits", "other", 1))
                .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.ID_CONFLICT));
        push("done", "t", 0);
        awaitStatus("done", MessageStatus.FINISH);
        assertThat(cancel("waits")).isEmpty();
        assertThat(cancel("done")).contains(ErrorCode.ALREADY_DISPATCHED);
        assertThat(cancel("nobody")).contains(ErrorCode.NOT_FOUND);
        assertThat(queue.producers().reschedule("nobody", 0)).isEmpty();
        assertThatThrownBy(() -> queue.producers().reschedule("waits", 0))
                .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.ALREADY_FINISHED));

        push("pulled", PULLED, 0);
        PulledMessage pulled = pull(PULLED).messages().get(0);
        assertThat(pull("t").failure().code()).isEqualTo(ErrorCode.NOT_PULLABLE);
        assertThat(settle("pulled", "no-receipt")).contains(ErrorCode.LEASE_LOST);
        assertThat(settle("nobody", pulled.receipt())).contains(ErrorCode.NOT_FOUND);
        assertThat(settle("pulled", pulled.receipt())).isEmpty();
        assertThat(refused("conflict")).isEqualTo(1);
    }

    @Test
    void oneWalkHasTheTurn() {
        Runnable first = queue.operators().turn();
        assertThatThrownBy(() -> queue.operators().turn())
                .isInstanceOf(DelayException.class)
                .hasMessageContaining("already running")
                .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.ALREADY_RUNNING));
        first.run();
        Runnable second = queue.operators().turn();
        first.run();
        assertThatThrownBy(() -> queue.operators().turn()).isInstanceOf(DelayException.class);
        second.run();
        assertThat(queue.operators().stopOrdered()).isEmpty();
    }

    @Test
    void itServesBeforeItLeadsAndAfterItHasGivenUpTheLead() {
        queue.serve();
        push("m", "t", 0);
        assertThat(queue.elector().role()).isEqualTo(Role.STANDBY);
        assertThat(queue.producers().find("m").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
        queue.elector().start();
        awaitStatus("m", MessageStatus.FINISH);
        queue.elector().close();
        queue.awaitDeliveries();
        assertThat(push("late", "t", 0)).isEqualTo(PushResult.ACCEPTED);
        assertThat(queue.elector().role()).isEqualTo(Role.STANDBY);
        queue.close();
        assertThatThrownBy(() -> push("refused", "t", 0))
                .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.BUSY));
        assertThat(refused("busy")).isEqualTo(1);
    }

    @Test
    void healthNamesEachPart() {
        queue.start();
        assertThat(queue.checks())
                .extracting(HealthCheck::name)
                .containsExactly(
                        "store",
                        "index",
                        "clock",
                        "registry",
                        "channels",
                        "recovery",
                        "topics",
                        "lastDeliveries",
                        "pull",
                        "loops");
    }

    @Test
    void aChannelThatNobodyGaveIsNamed() {
        assertThatThrownBy(() -> DelayQueue.builder(
                                config, store, new MemoryMessageIndex(new MemoryBuckets(4), clock), clock)
                        .build())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.delivery.default-channel = list");
    }

    private PushResult push(String id, String topic, long delayMs) {
        NewPush push = new NewPush().id(id).topic(topic).body("body of " + id).delay(delayMs);
        return queue.producers()
                .push(queue.producers().rules().check(push, UnaryOperator.identity()), Via.PROGRAM)
                .join();
    }

    private Optional<ErrorCode> cancel(String id) {
        return queue.producers().cancel(id, "a test").refusal(id).map(DelayException::code);
    }

    private Optional<ErrorCode> settle(String id, String receipt) {
        return queue.consumers()
                .settle(Verb.ACK, List.of(new Settlement(id, receipt, null, null, "")))
                .join()
                .get(0)
                .refusal()
                .map(DelayException::code);
    }

    private PullAnswer pull(String topic) throws Exception {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        queue.consumers().pull(new PullOrder(List.of(topic), 1, Duration.ofSeconds(20), null, false), answer::complete);
        return answer.get(30, TimeUnit.SECONDS);
    }

    private void awaitStatus(String id, MessageStatus status) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> queue.producers().find(id).orElseThrow().status() == status);
    }

    private double accepted(String via) {
        return meters.get("mykit.delay.messages.accepted")
                .tag("via", via)
                .counter()
                .count();
    }

    private double refused(String reason) {
        return meters.get("mykit.delay.messages.refused")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private static ErrorCode code(Throwable thrown) {
        return ((DelayException) (thrown instanceof CompletionException ? thrown.getCause() : thrown)).code();
    }
}
