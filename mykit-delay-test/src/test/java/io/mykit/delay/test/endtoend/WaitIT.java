package io.mykit.delay.test.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.Body;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayConsumer;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.client.MessageView;
import io.mykit.delay.client.PullRequest;
import io.mykit.delay.client.PulledMessage;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.client.SettleResult;
import io.mykit.delay.test.server.DelayServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Producers that wait for the end of their messages at one packaged server, while consumers work at the other one. */
@Tag("long")
class WaitIT extends ClientFixture {
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final int MANY = 300;

    private DelayClient producer;
    private DelayClient worker;

    @Override
    Map<String, String> settings() {
        return Map.of(
                "delivery.topics.tasks",
                "pull",
                "delivery.policy.tasks.max-attempts",
                "1",
                "pull.max-waiting",
                Integer.toString(MANY));
    }

    @BeforeEach
    void eachHasANodeOfItsOwn() {
        producer = DelayClient.builder().endpoint(one.url()).build();
        worker = DelayClient.builder().endpoint(two.url()).build();
    }

    @Test
    void theAnswerArrivesWithItsResult() {
        DelayConsumer consumer = worker.consumer()
                .topics("tasks")
                .concurrency(4)
                .resultHandler(message -> message.text().equals("bytes")
                        ? Body.of(new byte[] {-1, 0})
                        : Body.of("result of " + message.text()))
                .start();
        try (consumer) {
            for (int i = 0; i < 50; i++) {
                MessageView job = outcome(task("task " + i));
                assertThat(job.status()).isEqualTo(MessageStatus.FINISH);
                assertThat(job.result().orElseThrow().text()).isEqualTo("result of task " + i);
            }
            assertThat(outcome(task("bytes")).result().orElseThrow().bytes()).containsExactly(0xff, 0);
        }
    }

    @Test
    void manyProducersWaitAndNotMore() {
        List<CompletableFuture<PushResult>> pushes = IntStream.range(0, MANY)
                .mapToObj(i -> producer.async().push(task("t" + i), WAIT))
                .toList();
        awaitWaiting(MANY);
        assertThat(one.client()
                        .push(Map.of("topic", "tasks", "id", "refused", "wait", "5s"))
                        .error())
                .isEqualTo("BUSY");
        assertThat(one.client().job("refused").status()).isEqualTo(404);

        DelayConsumer consumer = worker.consumer()
                .topics("tasks")
                .concurrency(20)
                .resultHandler(message -> Body.of("did " + message.text()))
                .start();
        try (consumer) {
            for (int i = 0; i < MANY; i++) {
                assertThat(pushes.get(i)
                                .join()
                                .job()
                                .orElseThrow()
                                .result()
                                .orElseThrow()
                                .text())
                        .isEqualTo("did t" + i);
            }
        }
        awaitWaiting(0);
    }

    @Test
    void everyEndIsTold() {
        Message cancelled = Message.builder("tasks").delay(Duration.ofHours(1)).build();
        CompletableFuture<PushResult> push = producer.async().push(cancelled, WAIT);
        awaitWaiting(1);
        worker.cancel(cancelled.id());
        assertThat(push.join().job().orElseThrow().status()).isEqualTo(MessageStatus.DELETE);

        Message dead = task("dead");
        push = producer.async().push(dead, WAIT);
        worker.nack(pull(), "no stock");
        assertThat(push.join().job().orElseThrow().status()).isEqualTo(MessageStatus.FAILED);

        PushResult over = producer.push(task("slow"), Duration.ofMillis(300));
        assertThat(over.job().orElseThrow().status().name()).isIn("DELAY", "READY");
        CompletableFuture<MessageView> query =
                producer.async().find(over.id(), WAIT).thenApply(found -> found.orElseThrow());
        PulledMessage slow = pull();
        assertThat(worker.ack(slow, Body.of("at last"))).isEqualTo(SettleResult.DONE);
        assertThat(worker.ack(slow, Body.of("another"))).isEqualTo(SettleResult.DONE);
        assertThat(query.join().result().orElseThrow().text()).isEqualTo("at last");
        assertThat(producer.find(over.id(), WAIT)
                        .orElseThrow()
                        .result()
                        .orElseThrow()
                        .text())
                .isEqualTo("at last");
    }

    @Test
    void aProducerThatHangsUpWaitsNoMore() throws IOException {
        String body = "{\"topic\":\"tasks\",\"id\":\"left\",\"wait\":\"50s\"}";
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), one.port())) {
            client.getOutputStream()
                    .write(("POST /push HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n"
                                    + body)
                            .getBytes(UTF_8));
            awaitWaiting(1);
        }
        awaitWaiting(0);
        assertThat(worker.ack(pull(), Body.of("unread"))).isEqualTo(SettleResult.DONE);
        assertThat(producer.find("left").orElseThrow().result().orElseThrow().text())
                .isEqualTo("unread");
    }

    @Test
    @Order(LAST)
    void aStoppingNodeAnswersAllThatWait() {
        Message task = task("goes on");
        CompletableFuture<PushResult> push = producer.async().push(task, WAIT);
        awaitWaiting(1);
        one.terminate();
        assertThat(push.join().job().orElseThrow().status().name()).isIn("DELAY", "READY");
        assertThat(one.stop()).as("exit code").isZero();

        worker.ack(pull(), Body.of("done"));
        assertThat(client.find(task.id(), WAIT)
                        .orElseThrow()
                        .result()
                        .orElseThrow()
                        .text())
                .isEqualTo("done");
    }

    private static Message task(String body) {
        return Message.builder("tasks").body(body).build();
    }

    private MessageView outcome(Message task) {
        return producer.push(task, WAIT).job().orElseThrow();
    }

    private PulledMessage pull() {
        return worker.pull(PullRequest.topics("tasks").waitFor(Duration.ofSeconds(20)))
                .get(0);
    }

    private void awaitWaiting(int requests) {
        await().atMost(Duration.ofSeconds(30)).until(() -> waiting(one) == requests);
    }

    private static double waiting(DelayServer server) {
        return server.client()
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith("mykit_delay_outcome_waiting "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .findFirst()
                .orElseThrow();
    }
}
