package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.client.DelayConsumer;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.client.PullRequest;
import io.mykit.delay.client.PulledMessage;
import io.mykit.delay.client.RejectMessageException;
import io.mykit.delay.client.RetryLaterException;
import io.mykit.delay.client.SettleResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pull calls of the Java client, and its consumer, with two packaged servers. */
@Tag("long")
class PullClientIT extends ClientFixture {
    @Override
    Map<String, String> settings() {
        return Map.of("delivery.topics.orders", "pull", "delivery.policy.orders.gaps", "300ms");
    }

    @Test
    void eachCallIsUnderstood() {
        assertThat(client.pull(PullRequest.topics("orders"))).isEmpty();
        String id = client.push(
                Message.builder("orders").body("a").headers(Map.of("k", "v")).build());

        PulledMessage first = pull();
        assertThat(first.id()).isEqualTo(id);
        assertThat(first.text()).isEqualTo("a");
        assertThat(first.headers()).containsEntry("k", "v");
        assertThat(first.attempt()).isEqualTo(1);
        assertThat(first.maxAttempts()).isEqualTo(2);
        assertThat(client.extend(first, Duration.ofSeconds(30))).isEqualTo(SettleResult.DONE);
        assertThat(client.release(first)).isEqualTo(SettleResult.DONE);
        assertThat(client.release(first)).isEqualTo(SettleResult.LEASE_LOST);

        PulledMessage second = pull();
        assertThat(second.attempt()).as("a release does not count").isEqualTo(1);
        assertThat(second.deliveries()).as("a release counts").isEqualTo(2);
        assertThat(client.extend(first, Duration.ofSeconds(30))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(first.isLeaseLost()).isTrue();
        assertThat(client.nack(second, "no stock", Duration.ofMillis(100))).isEqualTo(SettleResult.DONE);

        PulledMessage third = pull();
        assertThat(third.attempt()).isEqualTo(2);
        assertThat(third.deliveries()).isEqualTo(3);
        assertThat(client.ack(third)).isEqualTo(SettleResult.DONE);
        assertThat(client.ack(third)).as("again").isEqualTo(SettleResult.DONE);
        assertThat(client.find(id).orElseThrow().status()).isEqualTo(MessageStatus.FINISH);

        String buried = client.push(Message.builder("orders").body("b").build());
        assertThat(client.bury(pull(), "no such order")).isEqualTo(SettleResult.DONE);
        assertThat(client.find(buried).orElseThrow().status()).isEqualTo(MessageStatus.FAILED);
        Assertions.assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.pull(PullRequest.topics("not-pulled")))
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("NOT_PULLABLE"));
    }

    @Test
    void theEndOfTheHandlerDecides() {
        List<String> seen = new CopyOnWriteArrayList<>();
        DelayConsumer consumer = client.consumer()
                .topics("orders")
                .concurrency(2)
                .ttr(Duration.ofSeconds(8))
                .handler(message -> {
                    seen.add(message.text() + message.attempt());
                    switch (message.text() + message.attempt()) {
                        case "later1" -> throw new RetryLaterException(Duration.ofMillis(200));
                        case "reject1" -> throw new RejectMessageException("no such order");
                        case "fail1", "fail2" -> throw new IllegalStateException("no stock");
                        case "long1" -> Thread.sleep(10_000);
                        default -> {}
                    }
                })
                .start();
        Map<String, String> ids = new HashMap<>();
        for (String body : List.of("good", "later", "reject", "fail", "long")) {
            ids.put(body, client.push(Message.builder("orders").body(body).build()));
        }
        try (consumer) {
            awaitStatus(ids.get("good"), MessageStatus.FINISH);
            awaitStatus(ids.get("later"), MessageStatus.FINISH);
            awaitStatus(ids.get("reject"), MessageStatus.FAILED);
            awaitStatus(ids.get("fail"), MessageStatus.FAILED);
            awaitStatus(ids.get("long"), MessageStatus.FINISH);
        }
        assertThat(seen).containsExactlyInAnyOrder("good1", "later1", "later2", "reject1", "fail1", "fail2", "long1");
    }

    @Test
    void aStopGivesBackWhatItCannotEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        DelayConsumer hanging = client.consumer()
                .topics("orders")
                .handler(message -> {
                    begun.countDown();
                    Thread.sleep(600_000);
                })
                .start();
        client.push(Message.builder("orders").body("a").build());
        begun.await();
        assertThat(hanging.stop(Duration.ofMillis(100))).isFalse();
        PulledMessage again = pull();
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(client.ack(again)).isEqualTo(SettleResult.DONE);
    }

    @Test
    @Order(LAST)
    void consumersGoOnWhileTheLeaderIsKilled() {
        List<String> worked = new CopyOnWriteArrayList<>();
        DelayConsumer consumer = client.consumer()
                .topics("orders")
                .concurrency(4)
                .handler(message -> worked.add(message.id()))
                .start();
        try (consumer) {
            List<String> ids = IntStream.range(0, 100)
                    .mapToObj(i -> client.push(Message.builder("orders")
                            .body("order " + i)
                            .delay(Duration.ofMillis(100L * i))
                            .build()))
                    .toList();
            await().until(() -> worked.size() > 10);
            one.kill();
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(worked).containsAll(ids));
            ids.forEach(id -> awaitStatus(id, MessageStatus.FINISH));
        }
    }

    private PulledMessage pull() {
        return client.pull(PullRequest.topics("orders")
                        .waitFor(Duration.ofSeconds(10))
                        .ttr(Duration.ofSeconds(30)))
                .get(0);
    }
}
