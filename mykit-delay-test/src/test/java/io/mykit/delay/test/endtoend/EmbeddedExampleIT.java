package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.consumer.PullAnswer;
import io.mykit.delay.queue.consumer.PullOrder;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.consumer.SettleResult;
import io.mykit.delay.queue.consumer.Settlement;
import io.mykit.delay.queue.consumer.Verb;
import io.mykit.delay.queue.memory.MemoryBuckets;
import io.mykit.delay.queue.memory.MemoryMessageIndex;
import io.mykit.delay.queue.producer.CancelResult;
import io.mykit.delay.queue.producer.NewPush;
import io.mykit.delay.queue.producer.Via;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.example.embedded.Reminder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The queue in the process of another program: the example, and what its README promises. */
@Timeout(60)
class EmbeddedExampleIT {
    @TempDir
    Path dir;

    @Test
    void theExampleDeliversToItsLambda() throws Exception {
        Reminder.main(new String[] {file()});
        run(queue -> assertThat(queue.state().store().count(MessageStatus.FINISH, Long.MAX_VALUE, 10))
                .isEqualTo(1));
    }

    @Test
    void whatWasPushedBeforeTheEndOfOneRunIsPulledInTheNextOne() throws Exception {
        run(queue -> {
            push(queue, "kept", 60_000);
            push(queue, "cancelled", 60_000);
            push(queue, "due", 300);
            assertThat(queue.producers().cancel("cancelled", "a test")).isEqualTo(CancelResult.CANCELLED);
        });
        run(queue -> {
            PulledMessage pulled = pull(queue);
            assertThat(pulled.message().id()).isEqualTo("due");
            Settlement ack = new Settlement("due", pulled.receipt(), null, null, "");
            assertThat(queue.consumers()
                            .settle(Verb.ACK, List.of(ack))
                            .join()
                            .get(0)
                            .result())
                    .isEqualTo(SettleResult.DONE);
            assertThat(queue.producers().find("due").orElseThrow().status()).isEqualTo(MessageStatus.FINISH);
            assertThat(queue.producers().find("kept").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
            assertThat(queue.checks())
                    .allSatisfy(part ->
                            assertThat(part.check().up()).as(part.name()).isTrue());
        });
    }

    private void run(Program program) throws Exception {
        DelayConfig config = ConfigLoader.load(Map.of("mykit.delay.delivery.default-channel", "pull"));
        ClusterClock clock = new ClusterClock();
        try (MessageStore store = MyBatisMessageStore.open(
                        config.datasource(),
                        "jdbc:sqlite:" + file(),
                        config.flowLog(),
                        "here",
                        clock,
                        new SimpleMeterRegistry());
                MessageIndex index = new MemoryMessageIndex(new MemoryBuckets(8), clock);
                DelayQueue queue =
                        DelayQueue.builder(config, store, index, clock).build()) {
            queue.start();
            program.use(queue);
        }
    }

    private static void push(DelayQueue queue, String id, long delayMs) {
        NewPush push = new NewPush().id(id).topic("t").body("b").delay(delayMs);
        queue.producers()
                .push(queue.producers().rules().check(push, UnaryOperator.identity()), Via.PROGRAM)
                .join();
    }

    private static PulledMessage pull(DelayQueue queue) throws Exception {
        CompletableFuture<PullAnswer> answer = new CompletableFuture<>();
        queue.consumers().pull(new PullOrder(List.of("t"), 1, Duration.ofSeconds(20), null, false), answer::complete);
        return answer.get(30, TimeUnit.SECONDS).messages().get(0);
    }

    private String file() {
        return dir.resolve("messages.db").toString();
    }

    /** What a program does with a queue. */
    private interface Program {
        void use(DelayQueue queue) throws Exception;
    }
}
