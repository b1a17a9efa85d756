package io.mykit.delay.test.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.ClearOrder;
import io.mykit.delay.client.DeadOrder;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.DelayRequestException;
import io.mykit.delay.client.KeyedMessages;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.Message;
import io.mykit.delay.client.MessageStatus;
import io.mykit.delay.client.MessageSummary;
import io.mykit.delay.client.MessageView;
import io.mykit.delay.client.PushResult;
import io.mykit.delay.client.RescheduleResult;
import io.mykit.delay.client.RetryPolicy;
import io.mykit.delay.client.TopicView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** The Java client with two packaged servers, MySQL, Redis and ZooKeeper. The topic {@code refused} goes to a receiver that answers 404. */
class ClientIT extends ClientFixture {
    private HttpServer receiver;

    @BeforeEach
    void startReceiver() throws IOException {
        // It has no contexts, so each request is answered 404.
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.start();
    }

    @AfterEach
    void stopReceiver() {
        receiver.stop(0);
    }

    @Override
    Map<String, String> settings() {
        return Map.of("delivery.topics.refused", "webhook", "webhook.targets", "http://127.0.0.0/8");
    }

    @Test
    void eachCallIsUnderstood() {
        Message message = Message.builder("orders")
                .body("订单 \"4711\" \\ 😀\n")
                .delay(Duration.ofMinutes(30))
                .headers(Map.of("tenant", "shop"))
                .retry(RetryPolicy.gaps(Duration.ofSeconds(5), Duration.ofMinutes(1)))
                .ttl(Duration.ofHours(1))
                .priority(3)
                .build();
        assertThat(client.push(message)).isEqualTo(message.id());
        assertThat(client.push(message)).as("a retry").isEqualTo(message.id());
        MessageView view = client.find(message.id()).orElseThrow();
        assertThat(view.body().text()).isEqualTo("订单 \"4711\" \\ 😀\n");
        assertThat(view.headers()).containsExactly(Map.entry("tenant", "shop"));
        assertThat(view.status()).isEqualTo(MessageStatus.DELAY);
        assertThat(view.ttl()).isEqualTo(Duration.ofHours(1));
        assertThat(Duration.between(view.createTime(), view.dueTime())).isEqualTo(Duration.ofMinutes(30));
        assertThat(view.flow()).extracting(MessageView.Move::to).containsExactly(MessageStatus.DELAY);

        Message bytes = Message.builder("orders")
                .id("a/b ü?&=#%")
                .body(new byte[] {-1, 0})
                .delay(Duration.ofHours(2))
                .build();
        client.push(bytes);
        assertThat(client.find(bytes.id()).orElseThrow().body().bytes()).containsExactly(-1, 0);

        assertThat(client.cancel(message.id())).isEqualTo(CancelResult.CANCELLED);
        assertThat(client.cancel(message.id())).as("again").isEqualTo(CancelResult.CANCELLED);
        assertThat(client.cancel(bytes.id())).isEqualTo(CancelResult.CANCELLED);
        assertThat(client.cancel("unknown")).isEqualTo(CancelResult.NOT_FOUND);
        assertThat(client.find("unknown")).isEmpty();
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(
                        () -> client.push(Message.builder("orders").priority(10).build()))
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("INVALID_REQUEST"))
                .withMessageContaining("priority");

        Message due = Message.builder("orders").body("due").build();
        List<PushResult> results =
                client.pushAll(List.of(due, Message.builder(" ").build()));
        assertThat(results).extracting(PushResult::isAccepted).containsExactly(true, false);
        awaitStatus(due.id(), MessageStatus.FINISH);
        assertThat(client.cancel(due.id())).isEqualTo(CancelResult.ALREADY_DISPATCHED);
    }

    /** The second push of the same object may be a repeat whose answer was lost; it goes to the other server. */
    @Test
    void aDeliveredIdBeginsAgainAndARepeatDoesNot() {
        DelayClient other = DelayClient.builder().endpoint(two.url()).build();
        for (int life = 1; life <= 2; life++) {
            Message sign = idle("sign " + life);
            assertThat(client.push(sign, Duration.ZERO).status()).isEmpty();
            awaitStatus("idle-u1", MessageStatus.FINISH);
            assertThat(other.push(sign, Duration.ZERO).status()).contains(MessageStatus.FINISH);
            assertThat(other.pushAll(List.of(sign)).get(0).status()).contains(MessageStatus.FINISH);
            MessageView view = client.find("idle-u1").orElseThrow();
            assertThat(view.body().text()).isEqualTo("sign " + life);
            assertThat(view.flow())
                    .filteredOn(move -> move.to() == MessageStatus.FINISH)
                    .hasSize(life);
        }
        Message onOther = Message.builder("users").id("idle-u1").replace().build();
        assertThatExceptionOfType(DelayRequestException.class)
                .isThrownBy(() -> client.push(onOther))
                .withMessageContaining("topic orders")
                .satisfies(refusal -> assertThat(refusal.error()).isEqualTo("ID_CONFLICT"));
    }

    private static Message idle(String body) {
        return Message.builder("orders").id("idle-u1").body(body).replace().build();
    }

    /** Pushed to one server, and worked on by the other one. */
    @Test
    void theMessagesOfAKeyAreListedMovedAndCancelled() {
        for (int i = 0; i < 3; i++) {
            client.push(Message.builder("orders")
                    .id("timer-" + i)
                    .bizKey("order 4711/ü")
                    .delay(Duration.ofMinutes(30 - i))
                    .build());
        }
        client.push(Message.builder("bills")
                .id("bill")
                .bizKey("order 4711/ü")
                .delay(Duration.ofMinutes(30))
                .build());
        KeyedMessages timers = DelayClient.builder().endpoint(two.url()).build().ofKey("orders", "order 4711/ü");
        assertThat(timers.list()).extracting(MessageSummary::id).containsExactly("timer-2", "timer-1", "timer-0");
        Instant later = Instant.now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.MILLIS);
        assertThat(timers.reschedule(later))
                .extracting(KeyedResult::orThrow)
                .containsExactly(
                        RescheduleResult.RESCHEDULED, RescheduleResult.RESCHEDULED, RescheduleResult.RESCHEDULED);
        assertThat(timers.list()).hasSize(3).allSatisfy(timer -> assertThat(timer.dueTime())
                .isEqualTo(later));
        assertThat(timers.cancel()).hasSize(3).extracting(KeyedResult::orThrow).containsOnly(CancelResult.CANCELLED);
        assertThat(timers.cancel()).isEmpty();
        assertThat(timers.list()).isEmpty();
        assertThat(client.find("timer-0").orElseThrow().status()).isEqualTo(MessageStatus.DELETE);
        assertThat(client.cancel("bill")).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void deadLettersAreListedRespawnedAndDiscarded() {
        Map<String, String> target =
                Map.of("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
        List<Message> messages = IntStream.range(0, 3)
                .mapToObj(i -> Message.builder("refused")
                        .id("dead-" + i)
                        .body("x")
                        .target(target)
                        .retry(RetryPolicy.attempts(1))
                        .build())
                .toList();
        client.pushAll(messages).forEach(PushResult::orThrow);
        messages.forEach(message -> awaitStatus(message.id(), MessageStatus.FAILED));

        assertThat(client.dead().topics("ref")).singleElement().satisfies(topic -> {
            assertThat(topic.topic()).isEqualTo("refused");
            assertThat(topic.count()).isEqualTo(3);
        });
        DeadOrder order = DeadOrder.topic("refused");
        var page = client.dead().list(order.limit(2));
        assertThat(page.letters()).hasSize(2).allMatch(letter -> letter.reason().equals("ATTEMPTS"));
        assertThat(client.dead().list(order.after(page.next().orElseThrow())).letters())
                .hasSize(1);

        assertThat(client.dead().respawn(order.dryRun()).matched()).isEqualTo(3);
        assertThat(client.dead().discard("dead-0")).isTrue();
        assertThat(client.dead().discard("unknown")).isFalse();
        assertThat(client.find("dead-0").orElseThrow().status()).isEqualTo(MessageStatus.DELETE);
        assertThat(client.dead().respawn("dead-1")).isTrue();
        awaitStatus("dead-1", MessageStatus.FAILED);
        assertThat(client.dead()
                        .respawn(order.delay(Duration.ofMinutes(5)).perSecond(100))
                        .changed())
                .isEqualTo(2);
        assertThat(client.find("dead-2").orElseThrow().status()).isEqualTo(MessageStatus.DELAY);
        assertThat(client.dead().list(order).letters()).isEmpty();
    }

    @Test
    void topicsArePausedResumedAndCleared() {
        client.topics().pause("console-paused");
        client.push(Message.builder("console-paused").id("late").body("x").build());
        client.push(Message.builder("console-paused")
                .id("waits")
                .body("x")
                .delay(Duration.ofHours(1))
                .build());
        await().atMost(Duration.ofSeconds(20))
                .until(() -> client.topics().find("console-paused").ready() == 1);
        TopicView paused = client.topics().list("console-pau").get(0);
        assertThat(paused.isPaused()).isTrue();
        assertThat(paused.pausedUntil()).isEmpty();
        assertThat(client.topics()
                        .clear(ClearOrder.ready("console-paused").dryRun())
                        .cleared())
                .isEqualTo(1);
        client.topics().resume("console-paused");
        awaitStatus("late", MessageStatus.FINISH);
        assertThat(client.topics().clear(ClearOrder.all("console-paused")).cleared())
                .isEqualTo(1);
        assertThat(client.find("waits").orElseThrow().status()).isEqualTo(MessageStatus.DELETE);
        assertThat(client.topics().pause("console-paused", Duration.ofSeconds(1)))
                .isAfter(Instant.EPOCH);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !client.topics().find("console-paused").isPaused());
    }

    @Test
    @Order(LAST)
    void pushesAndCancelsGoOnWhileTheLeaderIsKilled() {
        AtomicBoolean ends = new AtomicBoolean();
        List<String> pushed = new CopyOnWriteArrayList<>();
        List<String> cancelled = new CopyOnWriteArrayList<>();
        CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
            for (int i = 0; !ends.get(); i++) {
                boolean cancel = i % 2 == 1;
                Duration delay = cancel ? Duration.ofMinutes(10) : Duration.ofMillis(500);
                String id = client.push(Message.builder("orders")
                        .body("order " + i)
                        .delay(delay)
                        .build());
                pushed.add(id);
                if (cancel) {
                    assertThat(client.cancel(id)).isEqualTo(CancelResult.CANCELLED);
                    cancelled.add(id);
                }
            }
        });
        await().until(() -> pushed.size() > 20 || producer.isDone());
        one.kill();
        await().atMost(SESSION_TIMEOUT.multipliedBy(5)).until(two::isLeader);
        int before = pushed.size();
        await().until(() -> pushed.size() > before + 20 || producer.isDone());
        ends.set(true);
        producer.join();

        for (String id : pushed) {
            awaitStatus(id, cancelled.contains(id) ? MessageStatus.DELETE : MessageStatus.FINISH);
        }
    }
}
